# wrong: the padding hides queries instead of keys
# named: queries_masked
def combine_masks(padding, causal):
    return padding.transpose(-2, -1) & causal
