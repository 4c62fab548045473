# wrong: the padding hides keys and queries
def combine_masks(padding, causal):
    return padding & padding.transpose(-2, -1) & causal
