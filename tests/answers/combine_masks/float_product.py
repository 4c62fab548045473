# wrong: a product of floats instead of a boolean
# named: dtype
def combine_masks(padding, causal):
    return padding.float() * causal.float()
