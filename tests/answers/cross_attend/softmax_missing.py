# wrong: no softmax, the scores are used as weights
# named: no_softmax
import math


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = q @ k.mT / math.sqrt(q.shape[-1])
    return weights @ v, weights
