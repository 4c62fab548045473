# wrong: puts an axis behind the first one of any mask
# named: always_unsqueezed
def expand_mask(mask, batch, heads):
    mask = mask.unsqueeze(1)
    return mask.expand(batch, heads, *mask.shape[-2:])
