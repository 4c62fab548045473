# wrong: the masks are added up, so the result holds 0, 1 and 2
# named: added
def combine_masks(padding, causal):
    return padding.float() + causal.float()
