# wrong: squeeze() takes a batch of one away
# named: all_squeezed
def combine_masks(padding, causal):
    return (padding & causal).squeeze()
