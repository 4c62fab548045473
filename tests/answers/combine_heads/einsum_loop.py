# right


def combine_heads(heads):
    b, h, t, d = heads.shape
    out = heads.new_zeros(b, t, h * d)
    for i in range(h):
        out[..., i * d : (i + 1) * d] = heads[:, i]
    return out
