# wrong: takes a first axis as long as the batch for the batch, also in a mask of two dimensions
# named: by_first_size


def expand_mask(mask, batch, heads):
    if mask.shape[0] == batch and mask.dim() < 4:
        mask = mask.unsqueeze(1)
    return mask.expand(batch, heads, *mask.shape[-2:])
