# wrong: every layer reads the encoder's input
# named: each_from_x


def encode(encoder, x):
    for l in encoder.layers:
        if l.norm_first:
            n = l.norm1(x)
            y = x + l.self_attn(n, n, n)[0]
            y = y + l.linear2(l.activation(l.linear1(l.norm2(y))))
        else:
            y = l.norm1(x + l.self_attn(x, x, x)[0])
            y = l.norm2(y + l.linear2(l.activation(l.linear1(y))))
    return y if encoder.norm is None else encoder.norm(y)
