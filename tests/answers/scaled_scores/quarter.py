# wrong: scales only the query and by head_dim ** -0.25, so the division is by the fourth root
# named: fourth_root


def scaled_scores(query, key):
    q = query * query.size(-1) ** -0.25
    return q @ key.transpose(-2, -1)
