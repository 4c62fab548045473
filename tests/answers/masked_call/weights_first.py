# wrong: returns the weights before the output
# named: swapped
def masked_call(layer, x, mask):
    output, weights = layer(x, x, x, attn_mask=~mask)
    return weights, output
