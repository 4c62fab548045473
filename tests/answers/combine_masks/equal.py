# wrong: allowed where both masks say the same
def combine_masks(padding, causal):
    return padding == causal
