# wrong: scales query and key each by sqrt(head_dim), so the scores are divided by head_dim
# named: no_square_root


def scaled_scores(query, key):
    s = query.shape[-1] ** -0.5
    return (query * s) @ (key * s).transpose(-1, -2)
