# wrong: (batch, length, length), without the 1 for the heads
# named: no_heads
def combine_masks(padding, causal):
    return padding[:, 0] & causal
