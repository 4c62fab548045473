# wrong: takes a 3-D mask for one for each head where its size is heads
# named: per_head_where_it_fits
def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[None] if mask.shape[0] == heads else mask[:, None]
    return mask.expand(batch, heads, *mask.shape[-2:])
