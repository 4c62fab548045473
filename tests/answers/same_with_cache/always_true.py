# wrong: says True
# named: accepts_everything


def same_with_cache(layer, x):
    return True
