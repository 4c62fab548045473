# wrong: only adds axes of length 1, the result is not in the full shape
# named: not_expanded


def expand_mask(mask, batch, heads):
    if mask.dim() == 2:
        return mask[None, None]
    if mask.dim() == 3:
        return mask[:, None]
    return mask
