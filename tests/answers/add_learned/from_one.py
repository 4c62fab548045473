# wrong: counts the places from 1
# named: one_too_far


def add_learned(x, table, offset):
    return x + table[1 + offset : 1 + offset + x.shape[1]]
