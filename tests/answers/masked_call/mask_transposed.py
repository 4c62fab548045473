# wrong: the mask turned round
def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=~mask.T)
