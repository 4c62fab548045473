# wrong: only the output is returned
# named: output_alone
import math


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v
