# wrong: reshape instead of the transpose
# named: positions_mixed
import math


def part_of_device(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = ((x @ w.T).reshape(-1, x.shape[0], head_dim) for w in (w_query, w_key, w_value))
    s = (q @ k.transpose(1, 2) / math.sqrt(head_dim)).softmax(-1)
    return (s @ v).transpose(0, 1).flatten(1) @ w_out.T
