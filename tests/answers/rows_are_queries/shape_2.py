# wrong: decides by the shape, which tells nothing when the lengths are equal
# named: by_shape


def rows_are_queries(attend, x, memory):
    _, w = attend(x, memory)
    return w.shape == (len(x), len(memory))
