# wrong: all features as one head
# named: one_wide_head
import math


def part_of_device(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = x @ w_query.T, x @ w_key.T, x @ w_value.T
    return (q @ k.T / math.sqrt(head_dim)).softmax(-1) @ v @ w_out.T
