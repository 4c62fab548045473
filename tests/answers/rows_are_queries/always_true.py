# wrong: believes what is said of the layer
def rows_are_queries(attend, x, memory):
    return True
