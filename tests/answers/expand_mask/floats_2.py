# wrong: returns a floating-point mask
# named: dtype


def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.unsqueeze(1)
    return mask.float().expand(batch, heads, mask.shape[-2], mask.shape[-1])
