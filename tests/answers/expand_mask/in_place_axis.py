# wrong: puts the axis into the caller's own mask
# named: changes_input
def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask.unsqueeze_(1)
    return mask.expand(batch, heads, *mask.shape[-2:])
