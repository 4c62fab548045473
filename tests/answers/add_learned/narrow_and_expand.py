# right
def add_learned(x, table, offset):
    batch, length, _ = x.shape
    rows = table.narrow(0, offset, length).expand(batch, -1, -1)
    return sum((x, rows))
