# right

import math


def attend_by_hand(query, keys, values):
    exponentials = (
        [math.exp(math.sumprod(query, key)) for key in keys]
        if hasattr(math, "sumprod")
        else [math.exp(sum(map(lambda a, b: a * b, query, key))) for key in keys]
    )
    total = math.fsum(exponentials)
    weights = [e / total for e in exponentials]
    columns = zip(*values)
    return [math.fsum(w * c for w, c in zip(weights, column)) for column in columns], weights
