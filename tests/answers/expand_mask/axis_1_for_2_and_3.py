# wrong: puts an axis behind the first one of masks of 2 dimensions too
# named: two_unsqueezed
def expand_mask(mask, batch, heads):
    if mask.dim() < 4:
        mask = mask.unsqueeze(1)
    return mask.expand(batch, heads, *mask.shape[-2:])
