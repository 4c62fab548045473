# wrong: always True
# named: accepts_everything


def is_equivariant(layer, x):
    return True
