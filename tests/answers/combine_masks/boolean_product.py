# right


def combine_masks(padding, causal):
    return padding * causal
