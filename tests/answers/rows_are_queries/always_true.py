# wrong: believes what is said of the layer
# named: always_rows
def rows_are_queries(attend, x, memory):
    return True
