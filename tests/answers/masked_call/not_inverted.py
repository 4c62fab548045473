# wrong: hands our mask over as it is
# named: same_polarity
def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=mask)
