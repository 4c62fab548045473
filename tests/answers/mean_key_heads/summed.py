# wrong: the sum of a group
# named: summed


def mean_key_heads(weight, num_heads, num_groups):
    heads = weight.reshape(num_groups, num_heads // num_groups, len(weight) // num_heads, -1)
    return heads.sum(dim=1).reshape(-1, weight.shape[1])
