# wrong: repeats the masks head-major, so (batch, heads) of a 3-D mask are mixed up
# named: repeated


def expand_mask(mask, batch, heads):
    if mask.dim() == 2:
        return mask[None, None].expand(batch, heads, -1, -1)
    if mask.dim() == 3:
        return mask.repeat(heads, 1, 1).view(batch, heads, *mask.shape[-2:])
    return mask.expand(batch, heads, -1, -1)
