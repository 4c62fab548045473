# wrong: the causal mask is transposed, queries see the future
def combine_masks(padding, causal):
    return padding & causal.T
