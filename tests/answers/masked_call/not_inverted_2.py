# wrong: hands our mask to torch as it is
# named: same_polarity


def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=mask)
