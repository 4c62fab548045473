# wrong: (heads, batch, query_len, key_len)
# named: heads_first
def expand_mask(mask, batch, heads):
    if mask.dim() == 4:
        mask = mask.transpose(0, 1)
    return mask.expand(heads, batch, *mask.shape[-2:])
