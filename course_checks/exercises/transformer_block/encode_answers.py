"""Answers to encode (lesson 08, exercise 6), right and wrong, as students write them."""

import functools

import torch
import torch.nn.functional as F
from torch import nn


# right
def attend(mha, x):
    q, k, v = F.linear(x, mha.in_proj_weight, mha.in_proj_bias).chunk(3, dim=-1)
    b, n, d = x.shape
    q, k, v = (t.view(b, n, mha.num_heads, -1).transpose(1, 2) for t in (q, k, v))
    out = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, n, d)
    return mha.out_proj(out)


def attention_by_hand(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            x = x + attend(layer.self_attn, layer.norm1(x))
            x = x + layer.linear2(layer.activation(layer.linear1(layer.norm2(x))))
        else:
            x = layer.norm1(x + attend(layer.self_attn, x))
            x = layer.norm2(x + layer.linear2(layer.activation(layer.linear1(x))))
    return encoder.norm(x) if encoder.norm else x


# wrong: the residual sum of attention left out only
# named: no_residual
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def attention_without_sum(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            h = layer.norm1(x)
            x = layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: calls whole layers
# named: forbidden
def calls_the_layer(encoder, x):
    for layer in encoder.layers:
        x = layer(x)
    return x if encoder.norm is None else encoder.norm(x)


# right
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def detached(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
    return (x if encoder.norm is None else encoder.norm(x)).detach()


# wrong: the FFN reads the layer's input and not the stream after attention
# named: ffn_reads_the_old_stream
def ffn_from_x(encoder, x):
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


# wrong: the residual sum of the FFN left out only
# named: no_residual
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def ffn_without_sum(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(ff(layer, x))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: takes norm_first from the first layer for all layers
# named: order_of_the_first
def first_flag(encoder, x):
    first = encoder.layers[0].norm_first
    for L in encoder.layers:
        ffn = lambda t: L.linear2(L.activation(L.linear1(t)))
        if first:
            h = L.norm1(x)
            x = x + L.self_attn(h, h, h)[0]
            x = x + ffn(L.norm2(x))
        else:
            x = L.norm1(x + L.self_attn(x, x, x)[0])
            x = L.norm2(x + ffn(x))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: returns inside the loop
# named: first_layer_again
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def first_layer_only(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
        return x if encoder.norm is None else encoder.norm(x)


# wrong: reads norm_first of the first layer for all
# named: order_of_the_first
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


# wrong: pre-norm normalises the query only
# named: queries_normalised_only
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def keys_not_normalised(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, x, x)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
    return x if encoder.norm is None else encoder.norm(x)


# right
def list_of_steps(encoder, x):
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


# right
def list_of_steps_2(encoder, x):
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


# wrong: no activation between the maps
# named: always_gelu
def ff(layer, x):
    return layer.linear2(layer.linear1(x))


def no_activation(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
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


# right
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


@torch.no_grad()
def no_grad(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: encoder.norm forgotten
# named: no_last_norm
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def no_last_norm(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
    return x


# wrong: encoder.norm after each layer
# named: norm_at_the_start
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def norm_inside_the_loop(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
        x = x if encoder.norm is None else encoder.norm(x)
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


# wrong: norm1 and norm2 exchanged
# named: norms_exchanged
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def norms_exchanged(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            h = layer.norm2(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm1(x))
        else:
            x = layer.norm2(x + layer.self_attn(x, x, x)[0])
            x = layer.norm1(x + ff(layer, x))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: asks the first layer for norm_first
# named: order_of_the_first
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def order_of_first_layer(encoder, x):
    for layer in encoder.layers:
        if encoder.layers[0].norm_first:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: pre and post exchanged
# named: orders_exchanged
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def order_swapped(encoder, x):
    for layer in encoder.layers:
        if not layer.norm_first:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
    return x if encoder.norm is None else encoder.norm(x)


# right
def per_token_modules(encoder, x):
    for layer in encoder.layers:
        steps = [
            (lambda y: layer.self_attn(y, y, y)[0], layer.norm1),
            (lambda y: layer.linear2(layer.activation(layer.linear1(y))), layer.norm2),
        ]
        for work, norm in steps:
            x = x + work(norm(x)) if layer.norm_first else norm(x + work(x))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: post-norm whatever norm_first says
# named: always_post
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def post_always(encoder, x):
    for layer in encoder.layers:
        if False:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: pre-norm whatever norm_first says
# named: always_pre
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def pre_always(encoder, x):
    for layer in encoder.layers:
        if True:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: calls torch's own _sa_block and _ff_block, the sublayers of the layer
# named: forbidden
def private_blocks(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            x = x + layer._sa_block(layer.norm1(x), None, None)
            x = x + layer._ff_block(layer.norm2(x))
        else:
            x = layer.norm1(x + layer._sa_block(x, None, None))
            x = layer.norm2(x + layer._ff_block(x))
    return x if encoder.norm is None else encoder.norm(x)


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


def recursive(encoder, x):
    x = run(list(encoder.layers), x)
    return x if encoder.norm is None else encoder.norm(x)


# wrong: always uses relu, not the layer's activation
# named: always_gelu
def relu(encoder, x):
    for L in encoder.layers:
        ffn = lambda t: L.linear2(torch.relu(L.linear1(t)))
        if L.norm_first:
            h = L.norm1(x)
            x = x + L.self_attn(h, h, h)[0]
            x = x + ffn(L.norm2(x))
        else:
            x = L.norm1(x + L.self_attn(x, x, x)[0])
            x = L.norm2(x + ffn(x))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: uses relu instead of the layer's activation
# named: always_gelu
def relu_2(encoder, x):
    for l in encoder.layers:
        ffn = lambda y: l.linear2(F.relu(l.linear1(y)))
        if l.norm_first:
            n = l.norm1(x)
            x = x + l.self_attn(n, n, n)[0]
            x = x + ffn(l.norm2(x))
        else:
            x = l.norm1(x + l.self_attn(x, x, x)[0])
            x = l.norm2(x + ffn(x))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: relu instead of the layer's activation
# named: always_gelu
def ff(layer, x):
    return layer.linear2(layer.linear1(x).relu())


def relu_always(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: the layers from the last to the first
# named: from_the_top
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def reversed_layers(encoder, x):
    for layer in reversed(encoder.layers):
        if layer.norm_first:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: the first layer at each step
# named: first_layer_again
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def same_layer(encoder, x):
    for layer in [encoder.layers[0] for _ in encoder.layers]:
        if layer.norm_first:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
    return x if encoder.norm is None else encoder.norm(x)


# right
def steps(encoder, x):
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


# wrong: exchanges batch and length before attention although it is batch_first
# named: time_first
def time_first(encoder, x):
    x = x.transpose(0, 1)
    for l in encoder.layers:
        if l.norm_first:
            n = l.norm1(x)
            x = x + l.self_attn(n, n, n)[0]
            x = x + l.linear2(l.activation(l.linear1(l.norm2(x))))
        else:
            x = l.norm1(x + l.self_attn(x, x, x)[0])
            x = l.norm2(x + l.linear2(l.activation(l.linear1(x))))
    x = x.transpose(0, 1)
    return x if encoder.norm is None else encoder.norm(x)


# wrong: adds the pair that attention returns to the stream
def tuple_added(encoder, x):
    for l in encoder.layers:
        if l.norm_first:
            n = l.norm1(x)
            x = x + l.self_attn(n, n, n)
            x = x + l.linear2(l.activation(l.linear1(l.norm2(x))))
        else:
            x = l.norm1(x + l.self_attn(x, x, x))
            x = l.norm2(x + l.linear2(l.activation(l.linear1(x))))
    return x if encoder.norm is None else encoder.norm(x)


# right
def ff(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def two_branches(encoder, x):
    for layer in encoder.layers:
        if layer.norm_first:
            h = layer.norm1(x)
            x = x + layer.self_attn(h, h, h)[0]
            x = x + ff(layer, layer.norm2(x))
        else:
            x = layer.norm1(x + layer.self_attn(x, x, x)[0])
            x = layer.norm2(x + ff(layer, x))
    return x if encoder.norm is None else encoder.norm(x)


# wrong: in pre-norm only the query is normalised, key and value are the raw stream
# named: queries_normalised_only
def value_raw(encoder, x):
    for L in encoder.layers:
        ffn = lambda t: L.linear2(L.activation(L.linear1(t)))
        if L.norm_first:
            x = x + L.self_attn(L.norm1(x), x, x)[0]
            x = x + ffn(L.norm2(x))
        else:
            x = L.norm1(x + L.self_attn(x, x, x)[0])
            x = L.norm2(x + ffn(x))
    return x if encoder.norm is None else encoder.norm(x)


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
