# wrong: a mean over the heads
# named: one_for_each_sentence


def previous_token(weights):
    return weights.diagonal(-1, dim1=-2, dim2=-1).mean(dim=(1, 2))
