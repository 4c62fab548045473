# wrong: + of booleans, which is "or"
# named: or_for_and
def combine_masks(padding, causal):
    return padding + causal
