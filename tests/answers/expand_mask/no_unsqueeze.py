# wrong: expands a 3-D mask without the axis for the heads, so the batch lines up with the heads
# named: aligned_to_heads


def expand_mask(mask, batch, heads):
    return mask.expand(batch, heads, *mask.shape[-2:])
