# wrong: one head stands for its group
# named: first_head


def mean_key_heads(weight, num_heads, num_groups):
    heads = weight.unflatten(0, (num_groups, num_heads // num_groups, -1))
    return heads[:, 0].flatten(0, 1)
