# wrong: squeezes the axis of the heads away, shape (batch, length, length)
# named: no_heads


def combine_masks(padding, causal):
    return padding[:, 0] & causal[None]
