# right


def concatenate(heads):
    return heads.movedim(0, -2).flatten(start_dim=-2)
