# wrong: puts the new axis in front
# named: aligned_to_heads
def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.unsqueeze(0)
    return mask.expand(batch, heads, mask.shape[-2], mask.shape[-1])
