# wrong: forgets the scale
# named: no_scale


def scaled_scores(query, key):
    return query @ key.transpose(-2, -1)
