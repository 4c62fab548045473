# wrong: forgets encoder.norm
# named: no_last_norm


def encode(encoder, x):
    for L in encoder.layers:
        if L.norm_first:
            h = L.norm1(x)
            x = x + L.self_attn(h, h, h)[0]
            x = x + L.linear2(L.activation(L.linear1(L.norm2(x))))
        else:
            x = L.norm1(x + L.self_attn(x, x, x)[0])
            x = L.norm2(x + L.linear2(L.activation(L.linear1(x))))
    return x
