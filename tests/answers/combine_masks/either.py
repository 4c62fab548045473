# wrong: allows what one of the masks allows
# named: or_for_and


def combine_masks(padding, causal):
    return padding | causal
