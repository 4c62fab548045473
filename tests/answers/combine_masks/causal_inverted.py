# wrong: takes True in the causal mask to mean blocked
# named: not_causal
def combine_masks(padding, causal):
    return padding & ~causal
