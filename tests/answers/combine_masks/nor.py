# wrong: ~padding & ~causal, allowed where both forbid
def combine_masks(padding, causal):
    return ~padding & ~causal
