# right
def combine_masks(padding, causal):
    batch, length = padding.shape[0], causal.shape[-1]
    mask = causal.repeat(batch, 1, 1, 1)
    return mask.masked_fill(~padding.expand(batch, 1, length, length), False)
