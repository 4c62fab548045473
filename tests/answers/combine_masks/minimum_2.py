# right


def combine_masks(padding, causal):
    return ~(padding.logical_not() | causal.logical_not()[None, None])
