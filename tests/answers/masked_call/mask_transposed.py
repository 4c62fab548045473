# wrong: the mask turned round
# named: transposed
def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=~mask.T)
