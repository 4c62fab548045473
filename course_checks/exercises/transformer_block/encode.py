"""Lesson 08, exercise 6: the forward pass of torch's encoder, from its parts."""

from torch import float32, float64, nn
from torch.nn.functional import gelu, relu, silu

from course_checks.exercise import Case, Exercise, Property, randn
from course_lib.model.block import TransformerBlock


def encode(encoder, x):
    for layer in encoder.layers:
        for sublayer, norm in ((_attend, layer.norm1), (_feed_forward, layer.norm2)):
            pre, post = x + sublayer(layer, norm(x)), norm(x + sublayer(layer, x))
            x = pre if layer.norm_first else post
    return x if encoder.norm is None else encoder.norm(x)


MISTAKES = """
orders_exchanged: if layer.norm_first -> if not layer.norm_first
    Your two orders have changed places. Where layer.norm_first is True, each sublayer reads
    norm(x); where it is False, the sum is normalised.
order_of_the_first: layer.norm_first -> encoder.layers[0].norm_first
    You ask the first layer for norm_first and treat all so. Each layer has its own.
always_post: layer.norm_first -> False
    You normalise the sums in every layer. Where layer.norm_first is True, each sublayer reads
    norm(x).
always_pre: layer.norm_first -> True
    You normalise what the sublayers read in every layer. Where layer.norm_first is False, the norm
    comes after each sum.
always_gelu: (_feed_forward, -> (_activated(F.gelu), || (_activated(F.relu), || \
        (_activated(lambda hidden: hidden),
    Your FFN does not use layer.activation between its two maps. It may be relu, gelu or another.
norms_exchanged: layer.norm1 -> layer.norm2 && layer.norm2 -> layer.norm1
or: layer.norm2 -> layer.norm1
    norm1 belongs to attention, norm2 to the FFN. (Untrained they are the same.)
queries_normalised_only: sublayer(layer, norm(x)) -> \
        (layer.self_attn(norm(x), x, x)[0] if sublayer is _attend else sublayer(layer, norm(x)))
    With norm_first=True you normalise the queries only. Keys and values read the same stream.
ffn_without_norm: sublayer(layer, norm(x)) -> \
        sublayer(layer, norm(x) if sublayer is _attend else x)
    With norm_first=True your FFN reads the stream as it is. It reads norm2(x).
stream_normalised: x + sublayer(layer, norm(x)) -> norm(x) + sublayer(layer, norm(x))
    With norm_first=True you add to norm(x) instead of x. The stream goes on as it was.
ffn_first: (_attend, layer.norm1), (_feed_forward, layer.norm2) -> \
        (_feed_forward, layer.norm2), (_attend, layer.norm1)
    Your FFN comes before attention. First the tokens look around.
no_residual: x + sublayer => sublayer || (sublayer is _attend) * x + sublayer || \
        (sublayer is not _attend) * x + sublayer
    You do not add the stream to what a sublayer says, to one of them or to both.
ffn_reads_the_old_stream: for sublayer, norm in ((_attend, layer.norm1), (_feed_forward, \
        layer.norm2)) -> for first, sublayer, norm in ((x, _attend, layer.norm1), (x, \
        _feed_forward, layer.norm2)) && (layer, norm(x)) -> (layer, norm(first)) && (layer, x) -> \
        (layer, first)
or: for sublayer, norm in ((_attend, layer.norm1), (_feed_forward, layer.norm2)) -> for first, \
        sublayer, norm in ((x, _attend, layer.norm1), (x, _feed_forward, layer.norm2)) && (layer, \
        norm(x)) -> (layer, norm(first))
    Your FFN reads what came into the layer. Attention has been added to what it reads.
each_from_x: in encoder.layers -> in encoder.layers[-1:]
    Each of your layers reads the first x, so only the last one counts.
time_first: (_attend, layer.norm1) -> (_over_sentences, layer.norm1)
    You exchange batch and length before the attention. These layers are made with batch_first=True:
    tokens would attend to other sentences.
first_layer_again: in encoder.layers -> in [encoder.layers[0]] * len(encoder.layers)
or: in encoder.layers -> in encoder.layers[:1]
    You run the first layer only, or again and again. Each reads what the one before it has
    returned.
from_the_top: in encoder.layers -> in list(encoder.layers)[::-1]
    You run the layers from the last to the first.
no_last_norm: return x if encoder.norm is None else encoder.norm(x) -> return x
    You leave encoder.norm out. Where it is not None, it comes after the last layer.
last_norm_if_pre: else encoder.norm(x) -> else encoder.norm(x) if layer.norm_first else x
    You leave encoder.norm out where the layers normalise last. Where it is not None, torch applies
    it.
norm_at_the_start: return x if encoder.norm is None else encoder.norm(x) -> return x && \
        in encoder.layers -> \
        in [x := x if encoder.norm is None else encoder.norm(x)] and encoder.layers
or: else post -> else post; x = encoder.norm(x) if encoder.norm is not None and \
        sublayer is _feed_forward else x && return x if encoder.norm is None else encoder.norm(x) \
        -> return x
    You apply encoder.norm before the first layer, or after each. It comes once, after the last.
"""

FORBIDDEN = "torch's own forward is closed here: write it, with the parts of each layer"


def _encoder(generator, num_layers, d_model, heads, activation, norm_first, last):
    layer = nn.TransformerEncoderLayer(
        d_model, heads, d_model + 3, activation=activation, batch_first=True, norm_first=norm_first
    )
    norm = nn.LayerNorm(d_model) if last else None
    encoder = nn.TransformerEncoder(layer, num_layers, norm=norm, enable_nested_tensor=False)
    for parameter in encoder.parameters():  # also where torch begins with 0 and 1
        spread = 0.5 if parameter.dim() == 1 else 1.5 * parameter.shape[-1] ** -0.5
        parameter.data.copy_(spread * randn(generator, *parameter.shape) + (parameter.dim() == 1))
    return encoder.requires_grad_(False).eval()


def _case(
    generator,
    num_layers=1,
    shape=(1, 3, 4),
    heads=2,
    activation=relu,
    norm_first=False,
    last=False,
    dtype=float32,
):
    orders = norm_first if isinstance(norm_first, tuple) else (norm_first,) * num_layers
    encoder = _encoder(generator, num_layers, shape[-1], heads, activation, orders[0], last)
    for layer, order in zip(encoder.layers, orders, strict=True):
        layer.norm_first = order
    layers = "1 layer" if num_layers == 1 else f"{num_layers} layers"
    label = (
        f"{layers} with norm_first={' and '.join(map(str, dict.fromkeys(orders)))} and "
        f"{activation.__name__}, "
        f"{'a' if last else 'no'} last norm, x of shape {shape}"
    )
    return Case((encoder.to(dtype), randn(generator, *shape).to(dtype)), None, label)


def _post(generator):
    return [_case(generator, shape=shape) for shape in ((1, 3, 4), (2, 4, 4))]


def _pre(generator):
    return [_case(generator, shape=shape, norm_first=True) for shape in ((1, 3, 4), (2, 3, 6))]


def _other(generator):
    return [
        _case(generator, activation=gelu),
        _case(generator, 2, (2, 5, 6), 3, gelu, norm_first=True, last=True),
        _case(generator, 2, (3, 2, 4), 1, silu, norm_first=True, last=True, dtype=float64),
    ]


def _attend(layer, x):
    return layer.self_attn(x, x, x)[0]


def _feed_forward(layer, x):
    return layer.linear2(layer.activation(layer.linear1(x)))


def _activated(activation):
    return lambda layer, x: layer.linear2(activation(layer.linear1(x)))


def _over_sentences(layer, x):
    """The attention takes the sentences for time."""
    return _attend(layer, x.transpose(0, 1)).transpose(0, 1)


EXERCISE = Exercise(
    reference=encode,
    returns={"output": "(batch, length, d_model)"},
    library=(TransformerBlock.forward,),
    forbidden=(
        (nn.TransformerEncoderLayer, "forward", FORBIDDEN),
        (nn.TransformerEncoderLayer, "_sa_block", FORBIDDEN),
        (nn.TransformerEncoderLayer, "_ff_block", FORBIDDEN),
        (nn.TransformerEncoder, "forward", FORBIDDEN),
    ),
    properties=(
        Property("one layer that normalises last", 2, _post),
        Property("one layer that normalises first", 1, _pre),
        Property(
            "several layers, each in its own order, and the last norm where there is one",
            1,
            lambda generator: [
                _case(generator, 2, last=True, norm_first=True),
                _case(generator, 3, (2, 3, 4), last=True),
                _case(generator, 3, (2, 3, 4), norm_first=True),
                _case(generator, 3, (2, 3, 4), norm_first=(True, False, True), last=True),
            ],
        ),
        Property("the layer's own activation, other sizes, and float64", 1, _other),
    ),
    mistakes=MISTAKES,
)
