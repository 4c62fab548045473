# wrong: two tokens back
# named: two_back


def previous_token(weights):
    return weights.diagonal(-2, dim1=-2, dim2=-1).mean(dim=(0, 2))
