# wrong: the heads are not joined


def mean_key_heads(weight, num_heads, num_groups):
    return weight.unflatten(0, (num_groups, num_heads // num_groups, -1)).mean(dim=1)
