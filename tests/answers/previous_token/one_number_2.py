# wrong: one mean over all heads
# named: one_number


def previous_token(weights):
    return weights.diagonal(offset=-1, dim1=-2, dim2=-1).mean()
