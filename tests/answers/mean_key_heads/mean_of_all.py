# wrong: the mean of all heads, repeated
# named: all_heads


def mean_key_heads(weight, num_heads, num_groups):
    head_dim = len(weight) // num_heads
    mean = weight.reshape(num_heads, head_dim, -1).mean(dim=0)
    return mean.repeat(num_groups, 1)
