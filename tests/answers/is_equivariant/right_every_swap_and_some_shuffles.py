# right

import itertools
import random


def is_equivariant(layer, x):
    n, y = len(x), layer(x)
    orders = []
    for i, j in itertools.combinations(range(n), 2):
        order = list(range(n))
        order[i], order[j] = j, i
        orders.append(order)
    orders += [random.sample(range(n), n) for _ in range(10)]
    return all(bool(((layer(x[p]) - y[p]).abs() <= 1e-4).all()) for p in orders)
