# wrong: Python's `and` between two tensors
def combine_masks(padding, causal):
    return padding and causal
