# wrong: the square root of d_model
# named: scaled_by_d_model
import math


def part_of_device(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (
        (x @ w.T).unflatten(-1, (-1, head_dim)).transpose(0, 1) for w in (w_query, w_key, w_value)
    )
    s = (q @ k.transpose(1, 2) / math.sqrt(x.shape[-1])).softmax(-1)
    return (s @ v).transpose(0, 1).flatten(1) @ w_out.T
