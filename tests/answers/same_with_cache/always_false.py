# wrong: says False
# named: rejects_everything


def same_with_cache(layer, x):
    return False
