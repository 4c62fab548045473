# wrong: the scores are divided by the root of the number of keys
# named: scaled_by_key_len
import math


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    scores = q @ k.mT
    weights = (scores / math.sqrt(scores.shape[-1])).softmax(-1)
    return weights @ v, weights
