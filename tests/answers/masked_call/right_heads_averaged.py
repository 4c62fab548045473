# right
def masked_call(layer, x, mask):
    output, weights = layer(x, x, x, attn_mask=~mask, average_attn_weights=False)
    return output, weights.mean(dim=1)
