"""Answers to encode (lesson 08, exercise 6), right and wrong, as students write them."""

import functools

import torch
import torch.nn.functional as F
from torch import nn

import course_checks as checks


# right
def blocks(encoder, x):
    """With the layer's dropouts, which do nothing, from the last layer's call inwards."""

    def layers(count):
        if count == 0:
            return x
        layer, stream = encoder.layers[count - 1], layers(count - 1)
        before = (layer.norm1, layer.norm2) if layer.norm_first else 2 * (nn.Identity(),)
        after = 2 * (nn.Identity(),) if layer.norm_first else (layer.norm1, layer.norm2)
        read = before[0](stream)
        stream = after[0](stream + layer.dropout1(layer.self_attn(read, read, read)[0]))
        hidden = layer.dropout(layer.activation(layer.linear1(before[1](stream))))
        return after[1](stream + layer.dropout2(layer.linear2(hidden)))

    stream = layers(len(encoder.layers))
    return stream if encoder.norm is None else encoder.norm(stream)


# right
def by_head(encoder, x):
    """Attention from the packed weights, a head at a time."""

    def attend(attention, x):
        joined = F.linear(x, attention.in_proj_weight, attention.in_proj_bias)
        pieces = joined.chunk(3 * attention.num_heads, dim=-1)  # queries, then keys, then values
        heads = (pieces[i :: attention.num_heads] for i in range(attention.num_heads))
        heads = [F.scaled_dot_product_attention(*head) for head in heads]
        return attention.out_proj(torch.cat(heads, dim=-1))

    for layer in encoder.layers:
        first, last = (layer.norm1, nn.Identity())[:: 1 if layer.norm_first else -1]
        x = last(x + attend(layer.self_attn, first(x)))
        first, last = (layer.norm2, nn.Identity())[:: 1 if layer.norm_first else -1]
        x = last(x + layer.linear2(layer.activation(layer.linear1(first(x)))))
    return encoder.norm(x) if encoder.norm else x


# wrong: calls whole layers
# named: forbidden
def calls_the_layer(encoder, x):
    for layer in encoder.layers:
        x = layer(x)
    return x if encoder.norm is None else encoder.norm(x)


# wrong: reads norm_first of the first layer for all
# named: order_of_the_first
# points: 5
def first_layers_flag(encoder, x):
    pre = encoder.layers[0].norm_first
    for l in encoder.layers:
        if pre:
            n = l.norm1(x)
            x = x + l.self_attn(n, n, n)[0]
            x = x + l.linear2(l.activation(l.linear1(l.norm2(x))))
        else:
            x = l.norm1(x + l.self_attn(x, x, x)[0])
            x = l.norm2(x + l.linear2(l.activation(l.linear1(x))))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: forgets encoder.norm
# named: no_last_norm
def no_final(encoder, x):
    for L in encoder.layers:
        if L.norm_first:
            h = L.norm1(x)
            x = x + L.self_attn(h, h, h)[0]
            x = x + L.linear2(L.activation(L.linear1(L.norm2(x))))
        else:
            x = L.norm1(x + L.self_attn(x, x, x)[0])
            x = L.norm2(x + L.linear2(L.activation(L.linear1(x))))
    return x


# wrong: calls encoder.norm although it may be None
def norm_not_optional(encoder, x):
    for l in encoder.layers:
        if l.norm_first:
            n = l.norm1(x)
            x = x + l.self_attn(n, n, n)[0]
            x = x + l.linear2(l.activation(l.linear1(l.norm2(x))))
        else:
            x = l.norm1(x + l.self_attn(x, x, x)[0])
            x = l.norm2(x + l.linear2(l.activation(l.linear1(x))))
    return encoder.norm(x)


# wrong: in pre-norm keys and values read the raw stream
# named: queries_normalised_only
def query_normalised_only(encoder, x):
    for l in encoder.layers:
        if l.norm_first:
            x = x + l.self_attn(l.norm1(x), x, x)[0]
            x = x + l.linear2(l.activation(l.linear1(l.norm2(x))))
        else:
            x = l.norm1(x + l.self_attn(x, x, x)[0])
            x = l.norm2(x + l.linear2(l.activation(l.linear1(x))))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: every layer reads the encoder's input
# named: each_from_x
def reads_first_input(encoder, x):
    for l in encoder.layers:
        if l.norm_first:
            n = l.norm1(x)
            y = x + l.self_attn(n, n, n)[0]
            y = y + l.linear2(l.activation(l.linear1(l.norm2(y))))
        else:
            y = l.norm1(x + l.self_attn(x, x, x)[0])
            y = l.norm2(y + l.linear2(l.activation(l.linear1(y))))
    return y if encoder.norm is None else encoder.norm(y)


# wrong: pre-norm: attention and FFN read the same stream
# named: ffn_reads_the_old_stream
def both_read_the_stream(encoder, x):
    for l in encoder.layers:
        ff = lambda y: l.linear2(l.activation(l.linear1(y)))
        if l.norm_first:
            n = l.norm1(x)
            x = x + l.self_attn(n, n, n)[0] + ff(l.norm2(x))
        else:
            x = l.norm1(x + l.self_attn(x, x, x)[0])
            x = l.norm2(x + ff(x))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: the FFN reads the stream without its norm
# named: ffn_without_norm
def no_norm2_in_pre(encoder, x):
    for l in encoder.layers:
        if l.norm_first:
            h = l.norm1(x)
            x = x + l.self_attn(h, h, h)[0]
            x = x + l.linear2(l.activation(l.linear1(x)))
        else:
            x = l.norm1(x + l.self_attn(x, x, x)[0])
            x = l.norm2(x + l.linear2(l.activation(l.linear1(x))))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: relu or else gelu, whatever layer.activation is
# points: 5
def two_activations(encoder, x):
    for layer in encoder.layers:
        act = (
            torch.relu if layer.activation is torch.nn.functional.relu else torch.nn.functional.gelu
        )
        if layer.norm_first:
            n = layer.norm1(x)
            x = x + layer.self_attn(n, n, n)[0]
            x = x + layer.linear2(act(layer.linear1(layer.norm2(x))))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + layer.linear2(act(layer.linear1(x))))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: adds the pair of output and weights to x
# says: return two things
def keeps_the_pair(encoder, x):
    layer = encoder.layers[0]
    return layer.norm1(x + layer.self_attn(x, x, x))


# wrong: calls the last norm where there is none
# says: is None
def norm_is_always_there(encoder, x):
    return encoder.norm(checks.encode.exercise.reference(encoder, x))


# wrong: changes the layers afterwards
# named: changes_input
def sets_norm_first(encoder, x):
    for l in encoder.layers:

        def attend(h, l=l):
            return l.self_attn(h, h, h)[0]

        def work(h, l=l):
            return l.linear2(l.activation(l.linear1(h)))

        for part, norm in ((attend, l.norm1), (work, l.norm2)):
            x = x + part(norm(x)) if l.norm_first else norm(x + part(x))
    for l in encoder.layers:
        l.norm_first = True
    return x if encoder.norm is None else encoder.norm(x)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for activation in ("relu", "gelu"):
        for norm_first in (True, False):
            for norm in (None, torch.nn.LayerNorm(6)):
                layer = torch.nn.TransformerEncoderLayer(
                    6, 2, 7, 0.0, activation, batch_first=True, norm_first=norm_first
                )
                encoder = torch.nn.TransformerEncoder(layer, 2, norm, enable_nested_tensor=False)
                for parameter in encoder.parameters():
                    parameter.data.copy_(randn(*parameter.shape))
                yield encoder.eval(), randn(2, 4, 6)
