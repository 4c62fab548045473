# wrong: in pre-norm only the query is normalised, key and value are the raw stream
# named: queries_normalised_only


def encode(encoder, x):
    for L in encoder.layers:
        ffn = lambda t: L.linear2(L.activation(L.linear1(t)))
        if L.norm_first:
            x = x + L.self_attn(L.norm1(x), x, x)[0]
            x = x + ffn(L.norm2(x))
        else:
            x = L.norm1(x + L.self_attn(x, x, x)[0])
            x = L.norm2(x + ffn(x))
    return x if encoder.norm is None else encoder.norm(x)
