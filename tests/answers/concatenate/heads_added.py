# wrong: adds the heads up
# named: summed


def concatenate(heads):
    return heads.sum(dim=0)
