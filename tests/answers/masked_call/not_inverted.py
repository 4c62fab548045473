# wrong: hands our mask over as it is
def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=mask)
