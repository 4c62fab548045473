# wrong: multiplies the weights by the mask afterwards
# named: weights_masked_after
def masked_call(layer, x, mask):
    output, weights = layer(x, x, x)
    return output, weights * mask
