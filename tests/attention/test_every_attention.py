"""What all of attention promises alike: defaults, devices and dtypes, and errors in words."""

import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import course_lib
from comparing_modules import close
from course_lib import attention as package
from course_lib.attention.delta_rule import (
    DeltaAttention,
    delta_rule,
    delta_rule_chunks,
    delta_rule_step,
)
from course_lib.attention.linear import (
    LinearAttention,
    elu_plus_one,
    linear_attention,
    linear_attention_chunks,
    linear_attention_step,
)
from course_lib.attention.masks import masked_softmax
from course_lib.attention.online_softmax import partial_softmax
from course_lib.attention.paged_cache import PageTable
from course_lib.attention.scaled_dot_product import fused_attention
from course_lib.attention.sinks import attention_with_sink, gated, sigmoid_attention
from course_lib.attention.tiled import tiled_attention
from public_defaults import public_defaults
from reference_attention import PROPERTY

DEFAULTS = {"base": 10000.0, "bias": True, "block_len": 64, "chunk_len": 64, "decay": False}
DEFAULTS |= {"dtype": torch.float32, "dropout": 0.0, "eps": 1e-6, "feature_map": elu_plus_one}
DEFAULTS |= {"in_place": False, "is_causal": False, "need_weights": False, "offset": 0}
DEFAULTS |= {"page_size": 16, "pairing": "halves", "sinks": 0, "std": 0.02, "stretch": 1.0}
DEFAULTS |= {"tokens": ()}


def test_a_name_has_one_default_wherever_it_stands():
    defaults_of = public_defaults(package)
    # A state holds the past only.
    assert defaults_of["is_causal"].pop(True) == {"StateAttention.forward"}
    # The smallest block that a GPU multiplies at once; the interpreter is slow with larger ones.
    assert defaults_of["block_len"].pop(16) == {"attend_with"}
    assert {name: list(defaults) for name, defaults in defaults_of.items()} == {
        name: [default] for name, default in DEFAULTS.items()
    }


ROTARY = course_lib.RotaryEmbedding(4)
LAYERS = {
    "plain": lambda **options: course_lib.MultiHeadAttention(
        16, 4, num_kv_heads=2, rotary=ROTARY, **options
    ),
    "single": lambda **options: course_lib.SingleHead(16, 4, **options),
    "latent": lambda **options: course_lib.LatentAttention(16, 4, 6, rotary=ROTARY, **options),
    "linear": lambda **options: LinearAttention(16, 4, key_dim=3, chunk_len=2, **options),
    "delta": lambda **options: DeltaAttention(16, 4, key_dim=3, decay=True, chunk_len=2, **options),
    "learned": lambda **options: course_lib.LearnedPositions(5, 16, **options),
}
WITH_CACHE = ("plain", "latent", "linear", "delta")
OF_A_STATE = ("linear", "delta")  # which take no mask and show no weights


@pytest.mark.parametrize("name", LAYERS)
@pytest.mark.parametrize("factory", [{"device": "meta", "dtype": torch.float64}, {}], ids=str)
@torch.no_grad()
def test_a_layer_is_made_and_stays_where_it_was_asked_to_be(name, factory):
    expected = factory.get("device", "cpu"), factory.get("dtype", torch.float32)
    layer = LAYERS[name](**factory)
    x = torch.zeros(2, 3, 16, **factory)
    tensors = [*layer.parameters()]
    if hasattr(layer, "make_cache"):
        cache = layer.make_cache(2, 5)
        for part in (x, x[:, :1], x[:, :1]):
            tensors.append(layer(part, is_causal=True, cache=cache)[0])
        if name not in OF_A_STATE:
            mask = course_lib.causal_mask(3, device=x.device)
            tensors += layer(x, mask=mask, is_causal=True, need_weights=True)
    else:
        output = layer(x)
        tensors += [output] if isinstance(output, torch.Tensor) else output
    assert {(tensor.device.type, tensor.dtype) for tensor in tensors} == {expected}


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_what_is_made_without_a_layer_is_made_where_it_was_asked_to_be(device):
    factory = {"device": device, "dtype": torch.float64}
    row = torch.zeros(2, 3, 1, 4, **factory)
    made = [
        *course_lib.KVCache(2, 3, 5, 4, **factory).append(row, row),
        *course_lib.WindowCache(2, 3, 5, 4, sinks=1, **factory).append(row, row),
        course_lib.LatentCache(2, 5, 4, **factory).append(row[:, 0]),
        PageTable(2).make_rows(3, 4, **factory),
    ]
    assert {(tensor.device.type, tensor.dtype) for tensor in made} == {(device, torch.float64)}
    made = (
        course_lib.causal_mask(3),
        course_lib.window_mask(3, window=2),
        course_lib.padding_mask([1, 2], 3),
    )
    there = (
        course_lib.causal_mask(3, device=device),
        course_lib.window_mask(3, window=2, device=device),
        course_lib.padding_mask([1, 2], 3, device=device),
        course_lib.sinusoidal_table(3, 4, device=device),
        course_lib.SinusoidalPositions(4)(torch.zeros(1, 3, 4, device=device)),
    )
    assert {mask.device.type for mask in there} == {device}
    assert not any(mask.is_meta for mask in made)


# --- the layers ----------------------------------------------------------------------------------


def ways_of(name):
    """The options that have a layer compute its output in each of its forms."""
    forms = [{"absorb": absorb} for absorb in (None, False, True)] if name == "latent" else [{}]
    shown = [False] if name in OF_A_STATE else [False, True]
    return [form | {"need_weights": need_weights} for form in forms for need_weights in shown]


@pytest.mark.parametrize("name", WITH_CACHE)
@PROPERTY
@given(
    chunks=st.lists(st.integers(0, 5), min_size=1, max_size=5),
    way=st.integers(0, 5),
    with_mask=st.booleans(),
    batch=st.integers(0, 2),
)
@torch.no_grad()
def test_any_chunks_through_a_cache_give_the_uncached_output(name, chunks, way, with_mask, batch):
    layer, length, start = LAYERS[name](dtype=torch.float64), sum(chunks), 0
    options = ways_of(name)[way % len(ways_of(name))] | {"is_causal": True}
    x, mask = torch.randn(batch, length, 16, dtype=torch.float64), None
    if with_mask and name not in OF_A_STATE:
        mask = torch.rand(batch, 1, length, length) < 0.7
    expected, expected_weights = layer(x, mask=mask, **options)
    cache = layer.make_cache(batch, length + 1)
    for chunk in chunks:
        end = start + chunk
        seen = None if mask is None else mask[:, :, start:end, :end]
        output, weights = layer(x[:, start:end], mask=seen, cache=cache, **options)
        assert cache.length == end
        close(output, expected[:, start:end], 1e-11)
        if options["need_weights"]:
            close(weights, expected_weights[:, :, start:end, :end], 1e-11)
        start = end


@pytest.mark.parametrize("name", ["plain", "latent"])
@torch.no_grad()
def test_a_refused_mask_leaves_the_cache_as_it_was(name):
    layer, x = LAYERS[name](), torch.randn(1, 2, 16)
    cache = layer.make_cache(1, 5)
    layer(x, cache=cache)
    message = re.escape("mask must broadcast to the scores' shape (1, 4, 2, 4), got (2, 2)")
    with pytest.raises(ValueError, match=message):
        layer(x, mask=torch.ones(2, 2, dtype=torch.bool), cache=cache)  # 2 queries see 4 keys
    assert cache.length == 2


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("dropout", [0.0, 0.5])
@pytest.mark.parametrize("name", ["plain", "latent"])
def test_a_row_with_nothing_to_attend_to_gives_zeros(name, dropout, dtype):
    layer = LAYERS[name](dtype=dtype, **({"dropout": dropout} if name == "plain" else {}))
    nothing = torch.zeros(16, dtype=dtype)
    if name == "plain":  # which adds the bias of its output map
        nothing = torch.nn.init.normal_(layer.out_proj.bias)
    x, mask = torch.randn(2, 6, 16, dtype=dtype, requires_grad=True), torch.rand(2, 1, 6, 6) < 0.6
    mask[:, :, 3] = False
    for options in ways_of(name):
        output, weights = layer(x, mask=mask, **options)
        assert torch.equal(output[:, 3], nothing.expand(2, 16)) and output[:, 0].any()
        assert weights is None or not weights[:, :, 3].any()
        with torch.autograd.set_detect_anomaly(True):  # refuses NaN in the steps between, too
            output.float().square().sum().backward()
    for tensor in (x, *layer.parameters()):
        assert tensor.grad.isfinite().all()


@pytest.mark.parametrize("name", WITH_CACHE)
def test_autocast(name):
    layer, x = LAYERS[name](), torch.randn(2, 7, 16)
    masked = {} if name in OF_A_STATE else {"mask": course_lib.padding_mask([7, 3], 7)}
    expected, _ = layer(x, **masked)
    for options in ways_of(name):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            output, weights = layer(x, **masked, **options)
        assert {part.dtype for part in (output, weights) if part is not None} == {torch.bfloat16}
        close(output.float(), expected, 0.1)
        output.float().sum().backward()
    with torch.autocast("cpu", dtype=torch.bfloat16), torch.no_grad():
        cache = layer.make_cache(2, 7)
        steps = [layer(part, is_causal=True, cache=cache)[0] for part in x.split([5, 1, 1], dim=1)]
    close(torch.cat(steps, dim=1).float(), layer(x, is_causal=True)[0], 0.1)
    assert all(parameter.grad.isfinite().all() for parameter in layer.parameters())


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["plain", "latent"])
def test_torch_compile_captures_one_graph_with_the_same_numbers(name):
    layer, x, mask = (
        LAYERS[name]().eval(),
        torch.randn(2, 6, 16),
        course_lib.padding_mask([6, 3], 6),
    )
    compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")  # needs no C++ compiler
    for options in ({}, {"mask": mask, "is_causal": True}, *ways_of(name)):
        close(compiled(x, **options)[0], layer(x, **options)[0], 1e-5)
        with torch.no_grad():
            close(compiled(x, **options)[0], layer(x, **options)[0], 1e-5)


@pytest.mark.parametrize("name", ["plain", "latent"])
@pytest.mark.parametrize("need_weights", [False, True])
def test_rotary_positions_may_be_any_for_each_token(name, need_weights):
    """Tokens in another order, each with its position, are the same tokens in another order."""
    layer = LAYERS[name]()
    x, places = torch.randn(2, 5, 16), torch.randint(50, (2, 1)) + torch.arange(5)
    expected, _ = layer(x, need_weights=need_weights)
    order = torch.randperm(5)
    output, _ = layer(x[:, order], positions=places[:, order], need_weights=need_weights)
    torch.testing.assert_close(output, expected[:, order], atol=1e-5, rtol=1e-5)
    mixed, _ = layer(x[:, order], positions=places, need_weights=need_weights)
    assert torch.equal(order, torch.arange(5)) or not torch.allclose(mixed, output, atol=1e-4)
    for kind in (course_lib.MultiHeadAttention(16, 4), course_lib.LatentAttention(16, 4, 6)):
        with pytest.raises(ValueError, match="positions must be None: the layer has no rotary"):
            kind(x, positions=places)


class InDouble(torch.nn.Module):
    """A projection that somebody has exchanged for one that answers in another dtype."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x).double()


@pytest.mark.parametrize(
    "name, projection",
    [("plain", "k_proj"), ("plain", "v_proj")]
    + [("latent", part) for part in ("key_up", "value_up", "rotary_key", "rotary_query")],
)
@torch.no_grad()
def test_a_projection_may_answer_in_another_dtype(name, projection):
    layer, x = LAYERS[name](), torch.randn(2, 5, 16)
    expected, _ = layer(x, is_causal=True)
    setattr(layer, projection, InDouble(getattr(layer, projection)))
    for need_weights in (False, True):
        output, _ = layer(x, is_causal=True, need_weights=need_weights)
        torch.testing.assert_close(output, expected)
    cache = layer.make_cache(2, 5)
    steps = [layer(part, is_causal=True, cache=cache)[0] for part in x.split([3, 2], dim=1)]
    torch.testing.assert_close(torch.cat(steps, dim=1), expected)


MAPPED = {
    "softmax": lambda x, mask: masked_softmax(x @ x.mT, mask, in_place=not torch.is_grad_enabled()),
    "fused": lambda x, mask: fused_attention(x[None], x[None], x[None], mask=mask),
    "sink": lambda x, mask: attention_with_sink(x, x, x, x[:, 0, 0], mask=mask)[0],
    "sigmoid": lambda x, mask: sigmoid_attention(x, x, x, mask=mask)[0],
    "tiled": lambda x, mask: tiled_attention(x, x, x, mask=mask, block_len=2),
    "padding": lambda x, mask: course_lib.padding_mask(mask[0].sum()[None], 5),
}


@pytest.mark.parametrize("function", MAPPED)
@pytest.mark.parametrize("gradients", [True, False])
@pytest.mark.filterwarnings("ignore:There is a performance drop")
def test_vmap_over_masks_and_over_both_gives_what_a_loop_gives(function, gradients):
    x = torch.randn(3, 4, 5, 8, dtype=torch.float64)
    masks, function = torch.rand(3, 5, 5) < 0.6, MAPPED[function]
    masks[1, 2] = False
    with torch.set_grad_enabled(gradients):
        expected = torch.stack([function(x[0], mask) for mask in masks])
        torch.testing.assert_close(torch.vmap(lambda mask: function(x[0], mask))(masks), expected)
        expected = torch.stack([function(*both) for both in zip(x, masks, strict=True)])
        torch.testing.assert_close(torch.vmap(function)(x, masks), expected)


# --- errors --------------------------------------------------------------------------------------

Q, K, V = torch.zeros(2, 4, 8), torch.zeros(2, 6, 8), torch.zeros(2, 6, 3)
QKV, SAME = {"query": Q, "key": K, "value": V}, {"query": K, "key": K, "value": V}
ONE = {"query": K[:, 0], "key": K[:, 0], "value": V[:, 0]}
RATES = {"beta": torch.ones(2, 6), "decay": torch.ones(2, 6)}
X = torch.zeros(2, 5, 16)
CALLS = {
    "attention": (course_lib.scaled_dot_product_attention, QKV),
    "sink": (attention_with_sink, QKV | {"sink_logit": torch.zeros(2)}),
    "sigmoid": (sigmoid_attention, QKV | {"bias": torch.zeros(2)}),
    "gated": (gated, {"output": Q, "gate": torch.zeros(2, 4, 1)}),
    "tiled": (tiled_attention, QKV),
    "partial": (partial_softmax, {"scores": torch.zeros(2, 4, 6), "value": V}),
    "linear": (linear_attention, SAME),
    "chunks": (linear_attention_chunks, SAME),
    "step": (lambda **given: linear_attention_step(None, **given), ONE),
    "delta": (delta_rule, SAME | RATES),
    "delta chunks": (delta_rule_chunks, SAME | RATES),
    "delta step": (
        lambda **given: delta_rule_step(None, **given),
        ONE | {"beta": torch.ones(2), "decay": torch.ones(2)},
    ),
    "many heads": (course_lib.MultiHeadAttention(16, 4), {"query": X, "key": X, "value": X}),
    "one head": (course_lib.SingleHead(16, 4), {"query": X, "key": X}),
    "latent layer": (course_lib.LatentAttention(16, 4, 6), {"query": X}),
    "linear layer": (LinearAttention(16, 4), {"query": X}),
    "delta layer": (DeltaAttention(16, 4), {"query": X}),
}
CHANGES = {
    "a list": lambda x: [1.0],
    "integers": lambda x: x.long(),
    "elsewhere": lambda x: x.to("meta"),
    "deeper": lambda x: x.expand(3, *x.shape),
    "a number": lambda x: x.flatten()[0],
    "more rows": lambda x: torch.cat((x, x)),
    "longer": lambda x: torch.cat((x, x), dim=1) if x.dim() > 1 else x[None],
    "wider": lambda x: torch.cat((x, x), dim=-1),
}
# The queries may be as many, the values as wide and the numbers for all heads as few as they like.
FITS = re.compile(
    r"(attention|sink|sigmoid|tiled|many heads|latent layer|linear layer|delta layer) query longer"
    r"|one head (query|key) longer|.* layer query more rows"
    r"|(sink|sigmoid) (sink_logit|bias) a number|gated (gate a number|output (wider|deeper))"
    r"|(attention|sink|sigmoid|tiled|partial|linear|chunks|step|delta|delta .*) value wider"
    r"|partial scores longer|(delta )?step value longer"
)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("call", CALLS)
def test_each_argument_that_does_not_fit_is_named_with_what_came(call, change):
    function, good = CALLS[call]
    function(**good)
    for name, tensor in good.items():
        bad = good | {name: CHANGES[change](tensor)}
        if FITS.fullmatch(f"{call} {name} {change}"):
            function(**bad)
            continue
        with pytest.raises((TypeError, ValueError)) as error:
            function(**bad)
        message = str(error.value)
        assert re.match(rf"({'|'.join(good)}) must .* got ", message), f"{name} {change}: {message}"
        assert "torch.Size" not in message


@pytest.mark.parametrize(
    "call", ["attention", "sink", "sigmoid", "tiled", "partial", "many heads", "one head", "latent"]
)
def test_a_mask_that_does_not_fit_is_refused(call):
    function, good = CALLS.get(call) or CALLS["latent layer"]
    lengths = (5, 5) if "query" in good and good["query"] is X else (4, 6)
    mask = torch.ones(lengths, dtype=torch.bool)
    function(**good, mask=mask)
    for bad, message in (
        ([[True]], "mask must be a torch.Tensor, got list"),
        (mask.float(), "mask must be boolean with True = may attend, got torch.float32"),
        (mask.to("meta"), "mask must be on the device cpu, got meta"),
        (mask[1:], r"mask must broadcast to the scores' shape \(2, .*\), got \(\d, \d\)$"),
        (mask.expand(9, 1, 2, *lengths), r"mask must .* got (shape )?\(9, 1, 2, \d, \d\)"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            function(**good, mask=bad)
