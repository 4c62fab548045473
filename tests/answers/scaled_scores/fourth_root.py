# wrong: scales only the query by the fourth root and forgets the key
# named: fourth_root


def scaled_scores(query, key):
    return (query / query.shape[-1] ** 0.25) @ key.transpose(-2, -1)
