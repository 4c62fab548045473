# wrong: adds -1e9 to blocked scores instead of minus infinity
# named: number_added
def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=(~mask).to(x.dtype) * -1e9)
