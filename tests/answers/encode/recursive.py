# right
def run(layers, x):
    if not layers:
        return x
    layer = layers[0]
    first = layer.norm1 if layer.norm_first else (lambda y: y)
    h = first(x)
    x = x + layer.self_attn(h, h, h)[0]
    x = x if layer.norm_first else layer.norm1(x)
    h = layer.norm2(x) if layer.norm_first else x
    x = x + layer.dropout2(layer.linear2(layer.dropout(layer.activation(layer.linear1(h)))))
    return run(layers[1:], x if layer.norm_first else layer.norm2(x))


def encode(encoder, x):
    x = run(list(encoder.layers), x)
    return x if encoder.norm is None else encoder.norm(x)
