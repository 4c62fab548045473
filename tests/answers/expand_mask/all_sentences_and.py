# wrong: lets a pair count only if every sentence allows it
# named: merged
def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.all(dim=0)
    return mask.expand(batch, heads, *mask.shape[-2:])
