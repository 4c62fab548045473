# wrong: turns the caller's mask round in place
# named: changes_input


def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=mask.logical_not_())
