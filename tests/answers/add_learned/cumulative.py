# wrong: each token gets the sum of all rows up to its place
# named: summed_up
def add_learned(x, table, offset):
    return x + table.cumsum(0)[offset : offset + x.shape[1]]
