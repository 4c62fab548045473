# wrong: asks for no weights and so returns None in their place
# named: without_weights


def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=~mask, need_weights=False)
