# right
def combine_masks(padding, causal):
    hidden = ~padding | ~causal
    return ~hidden
