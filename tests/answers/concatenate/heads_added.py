# wrong: adds the heads up


def concatenate(heads):
    return heads.sum(dim=0)
