# wrong: the mask of sentence 0 for all
# named: first_sentence_only
def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[0]
    return mask.expand(batch, heads, *mask.shape[-2:])
