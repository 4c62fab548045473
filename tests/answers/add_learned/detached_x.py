# wrong: x is detached, so the layers below learn nothing
# named: cut_off
def add_learned(x, table, offset):
    return x.detach() + table[offset : offset + x.shape[1]]
