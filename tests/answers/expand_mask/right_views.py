# right
def expand_mask(mask, batch, heads):
    if mask.dim() == 2:
        mask = mask.view(1, 1, *mask.shape)
    elif mask.dim() == 3:
        mask = mask[:, None]
    return mask.expand(batch, heads, *mask.shape[-2:])
