# wrong: repeats batch and heads times, whatever the sizes are
# named: four_repeated
def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[:, None]
        return mask.repeat(1, heads, 1, 1)
    return mask.repeat(batch, heads, 1, 1)
