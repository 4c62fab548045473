# wrong: forgets the mask
# named: no_mask
def masked_call(layer, x, mask):
    return layer(x, x, x)
