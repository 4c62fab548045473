# right
import functools

from torch import nn


def encode(encoder, x):
    def around(stream, work, norm, first):
        return stream + work(norm(stream)) if first else norm(stream + work(stream))

    def step(stream, layer):
        attend = lambda s: layer.self_attn(s, s, s, need_weights=False)[0]
        think = nn.Sequential(
            layer.linear1, *([layer.activation] if isinstance(layer.activation, nn.Module) else [])
        )
        ffn = lambda s: layer.linear2(think(s) if len(think) > 1 else layer.activation(think(s)))
        stream = around(stream, attend, layer.norm1, layer.norm_first)
        return around(stream, ffn, layer.norm2, layer.norm_first)

    out = functools.reduce(step, encoder.layers, x)
    return (encoder.norm or nn.Identity())(out)
