# wrong: the residual sum of the FFN left out only
# named: no_residual_around_the_ffn
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def encode(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(ff(layer, x))
    return x if encoder.norm is None else encoder.norm(x)
