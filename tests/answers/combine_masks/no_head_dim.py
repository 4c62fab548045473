# wrong: (batch, length, length), without the 1 for the heads
def combine_masks(padding, causal):
    return padding[:, 0] & causal
