# wrong: takes True in the padding mask to mean padding
def combine_masks(padding, causal):
    return ~padding & causal
