# wrong: the result is True where it is blocked
# named: inverted
def combine_masks(padding, causal):
    return ~(padding & causal)
