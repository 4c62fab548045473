# wrong: turns True and False round
# named: inverted
def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[:, None]
    return ~mask.expand(batch, heads, *mask.shape[-2:])
