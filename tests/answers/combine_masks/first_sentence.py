# wrong: the padding of the first sentence for the whole batch
# named: first_for_all
def combine_masks(padding, causal):
    return (padding[:1] & causal).expand(padding.shape[0], -1, -1, -1)
