# wrong: adds to each sentence in place, which changes x
# named: changes_input
def add_learned(x, table, offset):
    out = x.detach()
    for b in range(x.shape[0]):
        out[b] += table[offset : offset + x.shape[1]].detach()
    return x + 0
