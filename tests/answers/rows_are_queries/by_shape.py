# wrong: decides by the number of rows
# named: by_shape


def rows_are_queries(attend, x, memory):
    return attend(x, memory)[1].shape[0] == x.shape[0]
