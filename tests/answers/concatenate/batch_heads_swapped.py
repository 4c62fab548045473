# wrong: exchanges only the first two axes before flattening the last two
# named: first_two_exchanged


def concatenate(heads):
    x = heads.transpose(0, 1)
    return x.reshape(*x.shape[:-2], -1) if heads.dim() > 3 else x.reshape(x.shape[0], -1)
