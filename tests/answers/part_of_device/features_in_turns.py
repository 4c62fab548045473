# wrong: every n-th feature makes a head
# named: torn_apart
import math


def part_of_device(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (
        (x @ w.T).unflatten(-1, (head_dim, -1)).permute(2, 0, 1) for w in (w_query, w_key, w_value)
    )
    s = (q @ k.transpose(1, 2) / math.sqrt(head_dim)).softmax(-1)
    return (s @ v).permute(1, 2, 0).flatten(1) @ w_out.T
