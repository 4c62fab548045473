# wrong: reshapes straight to the right shape without a transpose
# named: not_transposed_back


def combine_heads(heads):
    b, h, t, d = heads.shape
    return heads.contiguous().view(b, t, h * d)
