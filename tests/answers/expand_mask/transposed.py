# wrong: exchanges queries and keys
# named: transposed
def expand_mask(mask, batch, heads):
    mask = mask.transpose(-2, -1)
    if mask.dim() == 3:
        mask = mask[:, None]
    return mask.expand(batch, heads, *mask.shape[-2:])
