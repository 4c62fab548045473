# wrong: expands a 3-D mask as if it were one for each head
# named: aligned_to_heads
def expand_mask(mask, batch, heads):
    return mask.expand(batch, heads, *mask.shape[-2:])
