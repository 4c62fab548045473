# wrong: need_weights=False, so the weights are None
# named: without_weights
def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=~mask, need_weights=False)
