# wrong: lets a mask of three dimensions line up with the heads
# named: aligned_to_heads


def expand_mask(mask, batch, heads):
    return mask.expand(batch, heads, *mask.shape[-2:])
