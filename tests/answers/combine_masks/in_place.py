# wrong: &= on an expanded clone is fine, but here it writes into the causal mask for a batch of one
# named: changes_input
def combine_masks(padding, causal):
    if len(padding) == 1:
        causal &= padding[0, 0]
        return causal[None, None]
    return padding & causal
