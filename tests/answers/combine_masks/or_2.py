# wrong: | instead of &, so one permission is enough
# named: or_for_and


def combine_masks(padding, causal):
    return padding | causal
