# wrong: the first heads only
# named: not_averaged


def mean_key_heads(weight, num_heads, num_groups):
    head_dim = len(weight) // num_heads
    return weight[: num_groups * head_dim]
