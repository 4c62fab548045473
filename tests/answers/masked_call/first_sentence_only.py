# wrong: only sentence 0
def masked_call(layer, x, mask):
    x = x[:1]
    return layer(x, x, x, attn_mask=~mask)
