# wrong: averages the keys instead of the values
# named: value_is_key
import math


def cross_attend(x, memory, w_query, w_key, w_value):
    q, k = x @ w_query.T, memory @ w_key.T
    w = ((q / math.sqrt(q.size(-1))) @ k.transpose(-1, -2)).softmax(-1)
    return w @ k, w
