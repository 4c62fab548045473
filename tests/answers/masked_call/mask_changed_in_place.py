# wrong: turns the caller's mask round in place
# named: changes_input
def masked_call(layer, x, mask):
    mask.logical_not_()
    return layer(x, x, x, attn_mask=mask)
