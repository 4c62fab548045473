# wrong: says True without trying anything


def rows_sum_to_one(attention):
    return True
