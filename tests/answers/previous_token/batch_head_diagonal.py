# wrong: diagonal(-1) without axes runs over batch and heads


def previous_token(weights):
    return weights.diagonal(-1).mean(dim=(0, 1))
