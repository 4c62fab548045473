# wrong: returns the weights of each head instead of the layer's mean
# named: weights_per_head


def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=~mask, average_attn_weights=False)
