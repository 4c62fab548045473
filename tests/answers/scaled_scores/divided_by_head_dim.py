# wrong: divides by head_dim, without the root
# named: no_square_root


def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / query.shape[-1]
