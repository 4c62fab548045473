# wrong: the memory asks and x is read
# named: exchanged
import math


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = memory @ w_query.T, x @ w_key.T, x @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights
