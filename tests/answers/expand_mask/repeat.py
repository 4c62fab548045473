# wrong: repeats a mask of four dimensions that is complete already
# named: four_repeated


def expand_mask(mask, batch, heads):
    if mask.dim() == 2:
        return mask.repeat(batch, heads, 1, 1)
    if mask.dim() == 3:
        return mask[:, None].repeat(1, heads, 1, 1)
    return mask.repeat(batch, heads, 1, 1)
