# wrong: views a mask of three dimensions with batch and heads mixed up
# named: repeated


def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.repeat(heads, 1, 1).reshape(batch, heads, *mask.shape[1:])
    return mask.expand(batch, heads, *mask.shape[-2:])
