# wrong: moves the heads behind head_dim and merges there
# named: interleaved


def concatenate(heads):
    return heads.movedim(0, -1).reshape(*heads.shape[1:-1], -1)
