# wrong: in pre-norm keys and values read the raw stream
# named: queries_normalised_only


def encode(encoder, x):
    for l in encoder.layers:
        if l.norm_first:
            x = x + l.self_attn(l.norm1(x), x, x)[0]
            x = x + l.linear2(l.activation(l.linear1(l.norm2(x))))
        else:
            x = l.norm1(x + l.self_attn(x, x, x)[0])
            x = l.norm2(x + l.linear2(l.activation(l.linear1(x))))
    return x if encoder.norm is None else encoder.norm(x)
