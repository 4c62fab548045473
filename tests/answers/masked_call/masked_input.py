# wrong: sets tokens that some query may not see to zero
# named: tokens_zeroed
def masked_call(layer, x, mask):
    x = x * mask.all(dim=0)[None, :, None]
    return layer(x, x, x)
