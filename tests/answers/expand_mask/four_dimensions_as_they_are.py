# wrong: returns a mask of four dimensions with its 1s
# named: four_as_it_is
def expand_mask(mask, batch, heads):
    if mask.dim() == 4:
        return mask
    if mask.dim() == 3:
        mask = mask[:, None]
    return mask.expand(batch, heads, *mask.shape[-2:])
