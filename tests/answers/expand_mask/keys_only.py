# wrong: keeps the row of query 0 for all queries, as for padding
def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[:, None]
    mask = mask[..., :1, :]
    return mask.expand(batch, heads, mask.shape[-1], mask.shape[-1])
