# wrong: divides the query in place, which changes the caller's tensor and fails on a leaf that needs a gradient
# named: changes_input


def scaled_scores(query, key):
    query /= query.shape[-1] ** 0.5
    return query @ key.mT
