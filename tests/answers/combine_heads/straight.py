# wrong: reshapes without moving the tokens in front of the heads
# named: not_transposed_back


def combine_heads(heads):
    b, h, t, d = heads.shape
    return heads.reshape(b, t, h * d)
