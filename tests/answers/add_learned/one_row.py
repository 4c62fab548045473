# wrong: adds the row of the first place to all tokens
# named: one_row


def add_learned(x, table, offset):
    return x + table[offset]
