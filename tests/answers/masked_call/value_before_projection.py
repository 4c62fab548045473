# wrong: its own weights times x, without the value's and the last matrix
# named: weights_times_x
def masked_call(layer, x, mask):
    _, weights = layer(x, x, x, attn_mask=~mask)
    return weights @ x, weights
