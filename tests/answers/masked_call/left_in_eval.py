# wrong: leaves the layer in eval mode
# named: mode_changed
def masked_call(layer, x, mask):
    layer.eval()
    return layer(x, x, x, attn_mask=~mask)
