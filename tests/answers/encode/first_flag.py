# wrong: takes norm_first from the first layer for all layers
# named: order_of_the_first


def encode(encoder, x):
    first = encoder.layers[0].norm_first
    for L in encoder.layers:
        ffn = lambda t: L.linear2(L.activation(L.linear1(t)))
        if first:
            h = L.norm1(x)
            x = x + L.self_attn(h, h, h)[0]
            x = x + ffn(L.norm2(x))
        else:
            x = L.norm1(x + L.self_attn(x, x, x)[0])
            x = L.norm2(x + ffn(x))
    return x if encoder.norm is None else encoder.norm(x)
