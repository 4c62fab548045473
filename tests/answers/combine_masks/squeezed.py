# wrong: squeeze() takes a batch of one away
def combine_masks(padding, causal):
    return (padding & causal).squeeze()
