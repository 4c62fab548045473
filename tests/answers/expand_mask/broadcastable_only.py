# wrong: returns a shape that broadcasts but is not the one asked for
# named: not_expanded


def expand_mask(mask, batch, heads):
    if mask.dim() == 2:
        return mask[None, None]
    if mask.dim() == 3:
        return mask[:, None]
    return mask
