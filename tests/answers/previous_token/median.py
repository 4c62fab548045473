# wrong: the median instead of the mean


def previous_token(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).transpose(0, 1).flatten(1).median(dim=1).values
