# wrong: a product of integers instead of a boolean
def combine_masks(padding, causal):
    return padding.int() * causal
