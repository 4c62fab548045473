# wrong: the query's own token
# named: same_token


def previous_token(weights):
    return weights.diagonal(0, dim1=-2, dim2=-1).mean(dim=(0, 2))
