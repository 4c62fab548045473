# wrong: a float mask with ones for what is blocked
# named: blocked_added
def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=(~mask).to(x.dtype))
