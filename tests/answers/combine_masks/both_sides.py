# wrong: the padding hides keys and queries
# named: queries_too
def combine_masks(padding, causal):
    return padding & padding.transpose(-2, -1) & causal
