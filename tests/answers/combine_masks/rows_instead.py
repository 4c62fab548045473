# wrong: blocks the rows of the padding instead of its columns
# named: queries_masked


def combine_masks(padding, causal):
    return padding.transpose(-2, -1) & causal
