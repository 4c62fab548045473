# wrong: rows in reverse
# named: reversed


def neighbours_to_halves(weight, num_heads):
    return weight.flip(0)
