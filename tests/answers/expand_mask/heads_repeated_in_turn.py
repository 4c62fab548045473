# wrong: repeats the masks in turn and cuts them up as if in blocks
# named: repeated
def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        return mask.repeat(heads, 1, 1).view(batch, heads, *mask.shape[-2:])
    return mask.expand(batch, heads, *mask.shape[-2:])
