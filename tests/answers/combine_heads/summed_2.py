# wrong: adds the heads up instead of placing them side by side
# named: summed


def combine_heads(heads):
    return heads.sum(dim=1)
