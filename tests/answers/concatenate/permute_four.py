# wrong: the permute expects exactly one batch dimension


def concatenate(heads):
    H, B, T, D = heads.shape
    return heads.permute(1, 2, 0, 3).reshape(B, T, H * D)
