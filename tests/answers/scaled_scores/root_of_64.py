# wrong: divides by 8, the root of the 64 in the example
# named: constant


def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / 8
