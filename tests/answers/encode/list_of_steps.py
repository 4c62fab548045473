# right
def encode(encoder, x):
    for layer in encoder.layers:
        steps = [
            (lambda y, at=layer.self_attn: at(y, y, y, need_weights=False)[0], layer.norm1),
            (lambda y, la=layer: la.linear2(la.activation(la.linear1(y))), layer.norm2),
        ]
        for step, norm in steps:
            x = x + step(norm(x)) if layer.norm_first else norm(x + step(x))
    if encoder.norm is not None:
        x = encoder.norm(x)
    return x
