# right
def masked_call(layer, x, mask):
    many = mask.expand(x.shape[0] * layer.num_heads, -1, -1)
    return layer(x, x, x, attn_mask=~many)
