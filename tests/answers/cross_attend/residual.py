# wrong: x is added to the output where its width allows it
# named: x_added
import math


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    output = weights @ v
    return (output + x if output.shape == x.shape else output), weights
