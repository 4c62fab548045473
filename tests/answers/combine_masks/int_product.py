# wrong: a product of integers instead of a boolean
# named: dtype
def combine_masks(padding, causal):
    return padding.int() * causal
