# wrong: blocks the rows of padding queries as well
# named: queries_too


def combine_masks(padding, causal):
    return padding & padding.mT & causal
