# wrong: says True without trying anything
# named: accepts_everything


def rows_sum_to_one(attention):
    return True
