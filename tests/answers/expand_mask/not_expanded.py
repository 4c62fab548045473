# wrong: leaves a 1 where it should copy
# named: not_expanded
def expand_mask(mask, batch, heads):
    if mask.dim() == 2:
        return mask[None, None]
    if mask.dim() == 3:
        return mask[:, None]
    return mask
