# wrong: always True


def is_equivariant(layer, x):
    return True
