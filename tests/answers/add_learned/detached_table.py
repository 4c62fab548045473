# wrong: the table is detached and never learns
# named: cut_off
def add_learned(x, table, offset):
    return x + table[offset : offset + x.shape[1]].detach()
