# wrong: ^ instead of &
# named: exclusive_or
def combine_masks(padding, causal):
    return padding ^ causal
