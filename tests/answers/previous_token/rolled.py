# wrong: rolls, so that the first query meets the last key
# named: wraps_round


def previous_token(weights):
    return weights.roll(1, dims=-1).diagonal(dim1=-2, dim2=-1).mean(dim=(0, 2))
