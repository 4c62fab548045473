# wrong: takes True in the padding mask to mean padding
# named: not_padding
def combine_masks(padding, causal):
    return ~padding & causal
