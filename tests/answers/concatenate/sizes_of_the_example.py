# wrong: the sizes of the example are written into the view


def concatenate(heads):
    return heads.movedim(0, -2).reshape(2, 8, 64)
