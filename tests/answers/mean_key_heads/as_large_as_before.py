# wrong: each mean stands there for every head
# named: repeated


def mean_key_heads(weight, num_heads, num_groups):
    heads = weight.unflatten(0, (num_groups, num_heads // num_groups, -1))
    return heads.mean(1, keepdim=True).expand_as(heads).flatten(0, 2)
