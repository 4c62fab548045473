# wrong: diagonal of the first two dimensions


def previous_token(weights):
    return weights.diagonal(-1).mean(dim=(0, 1))
