# wrong: the padding is not used
# named: causal_alone
def combine_masks(padding, causal):
    return causal.expand(padding.shape[0], 1, *causal.shape)
