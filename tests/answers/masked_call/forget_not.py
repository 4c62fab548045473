# wrong: hands the mask over without inverting it
# named: same_polarity


def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=mask)
