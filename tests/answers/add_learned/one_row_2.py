# wrong: adds one and the same row to all tokens
# named: one_row


def add_learned(x, table, offset):
    return x + table[offset]
