# right


def encode(encoder, x):
    for layer in encoder.layers:
        steps = [
            (lambda y: layer.self_attn(y, y, y)[0], layer.norm1),
            (lambda y: layer.linear2(layer.activation(layer.linear1(y))), layer.norm2),
        ]
        for work, norm in steps:
            x = x + work(norm(x)) if layer.norm_first else norm(x + work(x))
    return x if encoder.norm is None else encoder.norm(x)
