# wrong: table[-offset:], the offset counted from the end
# named: rolled_on
def add_learned(x, table, offset):
    return x + table.roll(offset, 0)[: x.shape[1]]
