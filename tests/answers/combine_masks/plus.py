# wrong: + of booleans, which is "or"
def combine_masks(padding, causal):
    return padding + causal
