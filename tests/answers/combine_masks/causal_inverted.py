# wrong: takes True in the causal mask to mean blocked
def combine_masks(padding, causal):
    return padding & ~causal
