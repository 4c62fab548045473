# wrong: one number for all heads
# named: one_number


def previous_token(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean()
