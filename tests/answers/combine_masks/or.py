# wrong: | instead of &, allowed where one of the masks allows
def combine_masks(padding, causal):
    return padding | causal
