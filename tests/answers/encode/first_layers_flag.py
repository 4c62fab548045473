# wrong: reads norm_first of the first layer for all
# named: order_of_the_first


def encode(encoder, x):
    pre = encoder.layers[0].norm_first
    for l in encoder.layers:
        if pre:
            n = l.norm1(x)
            x = x + l.self_attn(n, n, n)[0]
            x = x + l.linear2(l.activation(l.linear1(l.norm2(x))))
        else:
            x = l.norm1(x + l.self_attn(x, x, x)[0])
            x = l.norm2(x + l.linear2(l.activation(l.linear1(x))))
    return x if encoder.norm is None else encoder.norm(x)
