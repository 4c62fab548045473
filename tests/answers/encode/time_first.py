# wrong: exchanges batch and length before attention although it is batch_first
# named: time_first


def encode(encoder, x):
    x = x.transpose(0, 1)
    for l in encoder.layers:
        if l.norm_first:
            n = l.norm1(x)
            x = x + l.self_attn(n, n, n)[0]
            x = x + l.linear2(l.activation(l.linear1(l.norm2(x))))
        else:
            x = l.norm1(x + l.self_attn(x, x, x)[0])
            x = l.norm2(x + l.linear2(l.activation(l.linear1(x))))
    x = x.transpose(0, 1)
    return x if encoder.norm is None else encoder.norm(x)
