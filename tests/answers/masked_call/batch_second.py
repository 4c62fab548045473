# wrong: hands x over with the time first
# named: time_first
def masked_call(layer, x, mask):
    x = x.transpose(0, 1)
    output, weights = layer(x, x, x, attn_mask=~mask)
    return output.transpose(0, 1), weights
