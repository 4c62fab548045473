# wrong: takes key_len for query_len as well
def expand_mask(mask, batch, heads):
    n = mask.shape[-1]
    if mask.dim() == 3:
        mask = mask[:, None]
    return mask.expand(batch, heads, n, n)
