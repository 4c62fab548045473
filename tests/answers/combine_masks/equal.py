# wrong: allowed where both masks say the same
# named: equal
def combine_masks(padding, causal):
    return padding == causal
