# wrong: the mask of head 0 for all heads
# named: first_head_only
def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[:, None]
    elif mask.dim() == 4:
        mask = mask[:, :1]
    return mask.expand(batch, heads, *mask.shape[-2:])
