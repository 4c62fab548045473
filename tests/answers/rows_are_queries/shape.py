# wrong: trusts the shape, which says nothing when both lengths are equal
# named: by_shape
def rows_are_queries(attend, x, memory):
    _, weights = attend(x, memory)
    return tuple(weights.shape) == (len(x), len(memory))
