# wrong: as many heads as d_model has
import math


def part_of_device(x, w_query, w_key, w_value, w_out, head_dim):
    n = x.shape[1] // head_dim
    q, k, v = (
        (x @ w.T).unflatten(-1, (n, head_dim)).transpose(0, 1) for w in (w_query, w_key, w_value)
    )
    s = (q @ k.transpose(1, 2) / math.sqrt(head_dim)).softmax(-1)
    return (s @ v).transpose(0, 1).flatten(1) @ w_out.T
