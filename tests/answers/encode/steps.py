# right

from torch import nn


def encode(encoder, x):
    stream = x
    for layer in encoder.layers:
        steps = [
            (layer.norm1, lambda t, a=layer.self_attn: a(t, t, t, need_weights=True)[0]),
            (layer.norm2, lambda t, l=layer: l.linear2(l.activation(l.linear1(t)))),
        ]
        for norm, work in steps:
            stream = (
                stream + work(norm(stream)) if layer.norm_first else norm(stream + work(stream))
            )
    return (encoder.norm or nn.Identity())(stream)
