# wrong: uses the padding of the first sentence for all
# named: first_for_all


def combine_masks(padding, causal):
    both = padding[0, 0] & causal
    return both.expand(padding.shape[0], 1, *causal.shape)
