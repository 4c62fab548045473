# wrong: adds -10 to blocked scores
# named: number_added
def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=(~mask).to(x.dtype) * -10.0)
