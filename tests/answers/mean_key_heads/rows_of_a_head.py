# wrong: rows that lie next to each other are averaged
# named: neighbouring_rows


def mean_key_heads(weight, num_heads, num_groups):
    share = num_heads // num_groups
    return weight.reshape(-1, share, weight.shape[1]).mean(dim=1)
