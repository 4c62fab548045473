# wrong: forgets encoder.norm
# named: no_last_norm


def encode(encoder, x):
    for l in encoder.layers:
        if l.norm_first:
            n = l.norm1(x)
            x = x + l.self_attn(n, n, n)[0]
            x = x + l.linear2(l.activation(l.linear1(l.norm2(x))))
        else:
            x = l.norm1(x + l.self_attn(x, x, x)[0])
            x = l.norm2(x + l.linear2(l.activation(l.linear1(x))))
    return x
