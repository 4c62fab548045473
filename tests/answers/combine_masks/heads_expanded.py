# wrong: expands the heads to the length
# named: heads_expanded
def combine_masks(padding, causal):
    length = causal.shape[0]
    return (padding & causal).expand(-1, length, length, length)
