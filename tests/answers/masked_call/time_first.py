# wrong: hands over (length, batch, d_model) although the layer is batch_first
# named: time_first


def masked_call(layer, x, mask):
    t = x.transpose(0, 1)
    output, weights = layer(t, t, t, attn_mask=~mask)
    return output.transpose(0, 1), weights
