# wrong: multiplies the weights by the mask afterwards
def masked_call(layer, x, mask):
    output, weights = layer(x, x, x)
    return output, weights * mask
