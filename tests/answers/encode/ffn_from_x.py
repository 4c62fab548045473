# wrong: the FFN reads the layer's input and not the stream after attention
# named: ffn_reads_the_old_stream


def encode(encoder, x):
    for l in encoder.layers:
        if l.norm_first:
            n = l.norm1(x)
            a = l.self_attn(n, n, n)[0]
            f = l.linear2(l.activation(l.linear1(l.norm2(x))))
            x = x + a + f
        else:
            a = l.norm1(x + l.self_attn(x, x, x)[0])
            x = l.norm2(a + l.linear2(l.activation(l.linear1(x))))
    return x if encoder.norm is None else encoder.norm(x)
