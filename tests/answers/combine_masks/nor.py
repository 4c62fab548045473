# wrong: ~padding & ~causal, allowed where both forbid
# named: not_both
def combine_masks(padding, causal):
    return ~padding & ~causal
