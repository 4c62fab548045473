# wrong: a product of floats instead of a boolean
def combine_masks(padding, causal):
    return padding.float() * causal.float()
