# wrong: the median of a group
# named: median


def mean_key_heads(weight, num_heads, num_groups):
    heads = weight.unflatten(0, (num_groups, num_heads // num_groups, -1))
    return heads.median(dim=1).values.flatten(0, 1)
