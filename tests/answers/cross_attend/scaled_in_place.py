# wrong: x is scaled in place to spare memory, so the caller's x changes
# named: changes_input
import math


def cross_attend(x, memory, w_query, w_key, w_value):
    k, v = memory @ w_key.T, memory @ w_value.T
    x /= math.sqrt(w_query.shape[0])
    weights = (x @ w_query.T @ k.mT).softmax(-1)
    return weights @ v, weights
