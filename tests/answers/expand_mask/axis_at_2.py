# wrong: puts the axis of the heads behind the queries
# named: heads_behind_queries
def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.unsqueeze(2)
    return mask.expand(batch, heads, -1, mask.shape[-1])
