"""Lesson 08, exercise 6: the forward pass of torch's encoder, from its parts."""

from torch import float32, float64, nn
from torch.nn.functional import gelu, relu

from course_lib.checks.exercise import Case, Exercise, Property, randn
from course_lib.model.block import TransformerBlock


def encode(encoder, x):
    for layer in encoder.layers:
        x = _run(layer, x)
    return x if encoder.norm is None else encoder.norm(x)


MISTAKES = """
orders_exchanged: _encode_with(order=lambda layer: not layer.norm_first)
    Your two orders have changed places. Where layer.norm_first is True, each sublayer reads
    norm(x), and the sum is left alone; where it is False, the sum is normalised.
order_of_the_first: _order_of_the_first
    You ask the first layer for norm_first and treat all layers so. Each layer has its own: one of
    the encoders here mixes both orders.
always_post: _encode_with(order=lambda layer: False)
    You normalise the sums in every layer. Where layer.norm_first is True, each sublayer reads
    norm(x), and the sum is left alone.
always_pre: _encode_with(order=lambda layer: True)
    You normalise what the sublayers read in every layer. Where layer.norm_first is False, the norm
    comes after each sum.
always_gelu: _encode_with(activation=F.gelu)
    Your FFN uses gelu in every layer. torch's default is relu; layer.activation holds the one that
    this layer uses.
always_relu: _encode_with(activation=F.relu)
    Your FFN uses relu in every layer. layer.activation holds the one that this layer uses: the last
    encoders here have gelu.
no_activation: _encode_with(activation=lambda x: x)
    Your FFN has no activation between its two maps: layer.activation(layer.linear1(x)).
norms_exchanged: _encode_with(norms=("norm2", "norm1"))
    Your two norms have changed places: norm1 belongs to attention, norm2 to the FFN. Untrained they
    are the same, so a test with a fresh layer does not notice.
norm1_twice: _encode_with(norms=("norm1", "norm1"))
    You use norm1 for both sublayers. norm2 belongs to the FFN.
queries_normalised_only: _encode_with(key_source=lambda x, normal: x)
    With norm_first=True you normalise the queries only: self_attn(norm(x), x, x). Keys and values
    read the same normalised stream.
stream_normalised: _encode_with(add_to_normal=True)
    With norm_first=True you add to norm(x) instead of x (x = norm(x) on the way does that). The
    sublayer reads the norm; the stream goes on as it was.
ffn_first: _encode_with(ffn_first=True)
    Your FFN comes before attention. First the tokens look around, then each works on what it found.
no_residual: _encode_with(residuals=(False, False))
    You do not add the stream to what a sublayer says.
no_residual_around_the_ffn: _encode_with(residuals=(True, False))
    You do not add the stream to what the FFN says, only to what attention says.
no_residual_around_attention: _encode_with(residuals=(False, True))
    You do not add the stream to what attention says, only to what the FFN says.
ffn_reads_the_old_stream: _encode_with(both_from_x=True)
    Your FFN reads what came into the layer. It reads the stream to which attention has been added.
each_from_x: _each_from_x
    Each of your layers reads the first x, so only the last one counts. Each reads what the one
    before it has returned.
time_first: _time_first
    You exchange batch and length before the attention, as if it wanted the time first. These layers
    are made with batch_first=True: each token would attend to the other sentences' tokens at its
    place.
first_layer_again: _encode_with(layers=lambda layers: [layers[0]] * len(layers))
    You run the first layer again and again. The layers have weights of their own.
first_layer_only: _encode_with(layers=lambda layers: layers[:1])
    You run one layer, the first. Each further layer reads what the one before it has returned.
from_the_top: _encode_with(layers=lambda layers: list(layers)[::-1])
    You run the layers from the last to the first.
no_last_norm: _encode_with(last=lambda encoder, x: x)
    You leave encoder.norm out. Where it is not None, it comes after the last layer.
last_norm_if_pre: _encode_with(last=_last_norm_if_pre)
    You leave encoder.norm out where the layers normalise last. They do not need it, but where it is
    not None, torch applies it.
norm_at_the_start: _norm_at_the_start
    You apply encoder.norm before the first layer. It comes after the last one.
norm_after_each: _norm_after_each
    You apply encoder.norm after each layer. It comes once, after the last one.
"""


def _run(
    layer,
    x,
    order=None,
    activation=None,
    norms=("norm1", "norm2"),
    key_source=lambda x, normal: normal,
    ffn_first=False,
    residuals=(True, True),
    add_to_normal=False,
    both_from_x=False,
):
    """One layer, or a wrong version of it."""
    norm_first = layer.norm_first if order is None else order(layer)
    act = activation or layer.activation

    def attend(normal):
        keys = key_source(x, normal) if norm_first else normal
        return layer.self_attn(normal, keys, keys)[0]

    def feed_forward(normal):
        return layer.linear2(act(layer.linear1(normal)))

    ours = (getattr(layer, name) for name in norms)
    steps = list(zip((attend, feed_forward), ours, residuals, strict=True))
    first = x
    for sublayer, norm, residual in steps[::-1] if ffn_first else steps:
        source = first if both_from_x else x
        normal = norm(source) if norm_first else source
        update = sublayer(normal)
        if residual:
            update = update + (normal if add_to_normal else x)
        x = update if norm_first else norm(update)
    return x


def _encode_with(layers=list, last=lambda encoder, x: encoder.norm(x), **options):
    """A version with another choice of layers, another last norm, or another layer."""

    def version(encoder, x):
        for layer in layers(encoder.layers):
            x = _run(layer, x, **options)
        return x if encoder.norm is None else last(encoder, x)

    return version


def _each_from_x(encoder, x):
    for layer in encoder.layers:
        stream = _run(layer, x)
    return stream if encoder.norm is None else encoder.norm(stream)


def _norm_at_the_start(encoder, x):
    x = x if encoder.norm is None else encoder.norm(x)
    for layer in encoder.layers:
        x = _run(layer, x)
    return x


def _time_first(encoder, x):
    """Right but for the attention, which takes the sentences for time."""
    for layer in encoder.layers:
        x = _run(layer, x.transpose(0, 1)).transpose(0, 1)
    return x if encoder.norm is None else encoder.norm(x)


def _order_of_the_first(encoder, x):
    for layer in encoder.layers:
        x = _run(layer, x, order=lambda _: encoder.layers[0].norm_first)
    return x if encoder.norm is None else encoder.norm(x)


def _last_norm_if_pre(encoder, x):
    return encoder.norm(x) if encoder.layers[-1].norm_first else x


def _norm_after_each(encoder, x):
    for layer in encoder.layers:
        x = _run(layer, x)
        x = x if encoder.norm is None else encoder.norm(x)
    return x


# --- encoders whose own forward is forbidden ------------------------------------------------------

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


def _stacks(generator):
    return [
        _case(generator, 2, last=True, norm_first=True),
        _case(generator, 3, (2, 3, 4), last=True),
        _case(generator, 3, (2, 3, 4), norm_first=True),
        _case(generator, 3, (2, 3, 4), norm_first=(True, False, True), last=True),
    ]


def _other(generator):
    return [
        _case(generator, activation=gelu),
        _case(generator, 2, (2, 5, 6), 3, gelu, norm_first=True, last=True),
        _case(generator, 2, (3, 2, 4), 1, relu, norm_first=True, last=True, dtype=float64),
    ]


EXERCISE = Exercise(
    lesson="08",
    number=6,
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
            _stacks,
        ),
        Property("the layer's own activation, other sizes, and float64", 1, _other),
    ),
    mistakes=MISTAKES,
)
