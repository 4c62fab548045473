# wrong: a float mask of ones and zeros
# named: mask_added
def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=mask.to(x.dtype))
