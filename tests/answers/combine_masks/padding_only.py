# wrong: the causal mask is not used
# named: padding_alone
def combine_masks(padding, causal):
    return padding.expand(padding.shape[0], 1, causal.shape[0], causal.shape[1])
