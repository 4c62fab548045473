# wrong: forgets the mask
def masked_call(layer, x, mask):
    return layer(x, x, x)
