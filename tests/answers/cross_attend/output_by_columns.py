# wrong: the values are averaged with the transposed weights where the lengths are equal
import math


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    mixing = weights.mT if weights.shape[-1] == weights.shape[-2] else weights
    return mixing @ v, weights
