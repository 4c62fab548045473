# wrong: the result is True where it is blocked
def combine_masks(padding, causal):
    return ~(padding & causal)
