# wrong: tells the masks apart by their first size instead of their dimensions
# named: by_first_size
def expand_mask(mask, batch, heads):
    if mask.dim() < 4 and mask.shape[0] == batch:
        mask = mask[:, None]
    return mask.expand(batch, heads, *mask.shape[-2:])
