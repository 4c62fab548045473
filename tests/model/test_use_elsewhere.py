"""The library in others' hands: autocast, vmap, tracing, export, wrapped and quantized layers."""

import copy
import warnings

import pytest
import torch
from model_that_tells_apart import model_that_tells_apart
from torch import nn
from torch.testing import assert_close

import course_lib
from course_lib.attention.delta_rule import DeltaAttention
from course_lib.attention.linear import LinearAttention
from course_lib.attention.masks import masked_softmax
from course_lib.attention.scaled_dot_product import fused_attention
from course_lib.attention.sinks import attention_with_sink, sigmoid_attention
from course_lib.attention.tiled import tiled_attention
from course_lib.model.conversion import attention_to_torch, merge_heads
from course_lib.parallel.tensor import shard_attention, shard_feed_forward
from refusals import refuses

ATTENTIONS = {
    "plain": lambda: course_lib.MultiHeadAttention(16, 4),
    "rotary, shared": lambda: course_lib.MultiHeadAttention(
        16, 4, num_kv_heads=2, rotary=course_lib.RotaryEmbedding(4)
    ),
    "latent": lambda: course_lib.LatentAttention(16, 4, 6, rotary=course_lib.RotaryEmbedding(2)),
    "linear": lambda: LinearAttention(16, 4),
    "delta": lambda: DeltaAttention(16, 4, decay=True),
}


@pytest.fixture
def layer():
    torch.manual_seed(0)
    return course_lib.MultiHeadAttention(16, 4).eval()


class Causal(nn.Module):
    """A model of one's own around the layer: one tensor in, one out."""

    def __init__(self, layer):
        super().__init__()
        self.attention = layer

    def forward(self, x):
        return self.attention(x, is_causal=True)[0]


class Wrapped(nn.Module):
    """What packages put in the place of a projection; it has no ``weight`` of its own."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)


class LoRA(Wrapped):
    """An adapter in float32 that shows the weight of what is inside, which is not its whole map."""

    def __init__(self, inner):
        super().__init__(inner)
        self.down = nn.Parameter(torch.randn(2, inner.in_features) * 0.3)
        self.up = nn.Parameter(torch.randn(inner.out_features, 2) * 0.3)
        self.weight, self.bias = inner.weight, inner.bias

    def forward(self, x):
        return self.inner(x) + (x.to(self.down.dtype) @ self.down.T @ self.up.T).to(x.dtype)


class Int8(nn.Module):
    """Weights of 8 bits, in ``weight``, and a scale for each row; no floating parameter at all."""

    def __init__(self, linear):
        super().__init__()
        scale = linear.weight.detach().abs().amax(dim=1, keepdim=True) / 127
        self.register_buffer("weight", (linear.weight.detach() / scale).round().to(torch.int8))
        self.register_buffer("scale", scale)

    def forward(self, x):
        return x @ (self.weight.to(x.dtype) * self.scale.to(x.dtype)).T


def with_projections(model, wrap):
    """The same model, in which every nn.Linear is exchanged for what ``wrap`` makes of it."""
    for owner in list(model.modules()):
        for name, part in list(owner.named_children()):
            if type(part) is nn.Linear and not isinstance(owner, Wrapped):
                setattr(owner, name, wrap(part))
    return model


def merged(model):
    """A copy in float64, with an nn.Linear, read off at unit vectors, in the place of each."""
    model = copy.deepcopy(model).double()
    for owner in list(model.modules()):
        for name, part in list(owner.named_children()):
            if isinstance(part, Wrapped | Int8) and not isinstance(owner, Wrapped):
                width = getattr(part, "inner", part).weight.shape[1]
                linear = nn.Linear(width, part(torch.zeros(1, width).double()).shape[1]).double()
                with torch.no_grad():
                    linear.bias.copy_(part(torch.zeros(width).double()))
                    linear.weight.copy_((part(torch.eye(width).double()) - linear.bias).T)
                setattr(owner, name, linear)
    return model


def language_model(positions, attention=None):
    kind = None if attention is None else lambda rotary: ATTENTIONS[attention]()
    return model_that_tells_apart(positions, kind)


# --- a mask of three dimensions --------------------------------------------------------------


@pytest.mark.parametrize("batch", [2, 4])
def test_a_mask_of_three_dimensions_is_refused_beside_heads(generator, batch):
    """It would count as one per head wherever there are as many heads as sequences."""
    query = torch.randn(batch, 2, 4, 8, generator=generator)
    mask = torch.ones(batch, 4, 4, dtype=torch.bool)
    for attend in (
        lambda: course_lib.scaled_dot_product_attention(query, query, query, mask=mask),
        lambda: masked_softmax(query @ query.mT, mask),
        lambda: fused_attention(query, query, query, mask=mask),
        lambda: tiled_attention(query, query, query, mask=mask),
        lambda: sigmoid_attention(query, query, query, mask=mask),
        lambda: attention_with_sink(query, query, query, torch.zeros(2), mask=mask),
    ):
        refuses(ValueError, r"mask must have 2 dimensions .* mask\[:, None\]", attend)
    of_one_head = query[:, 0]
    course_lib.scaled_dot_product_attention(of_one_head, of_one_head, of_one_head, mask=mask)


# --- torch's own transforms ------------------------------------------------------------------


@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.filterwarnings("ignore:There is a performance drop")
def test_vmap_runs_several_models_and_gives_a_gradient_for_each_sample(generator, attention):
    """An ensemble in one call, and what differential privacy asks for."""
    models = [language_model("rotary", attention).double() for _ in range(2)]
    with torch.no_grad():
        models[1].head.weight.mul_(2)
    tokens = torch.randint(11, (3, 5), generator=generator)
    parameters, buffers = torch.func.stack_module_state(models)

    def logits_of(*state):
        return torch.func.functional_call(models[0], state, (tokens,))[0]

    found = torch.vmap(logits_of)(parameters, buffers)
    assert_close(found, torch.stack([model(tokens)[0] for model in models]))

    def loss(state, row):
        logits = torch.func.functional_call(models[0], state, (row[None],))[0]
        return nn.functional.cross_entropy(logits[0, :-1], row[1:])

    state = dict(models[0].named_parameters())
    gradients = torch.vmap(torch.func.grad(loss), in_dims=(None, 0))(state, tokens)
    loss(state, tokens[1]).backward()
    for name, parameter in models[0].named_parameters():
        assert_close(gradients[name][1], parameter.grad)


def test_padding_masks_are_made_inside_compile_and_export(generator, layer):
    class Padded(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention = layer

        def forward(self, x, lengths):
            return self.attention(x, mask=course_lib.padding_mask(lengths, x.shape[1]))[0]

    model, lengths = Padded().eval(), torch.tensor([3, 5])
    x = torch.randn(2, 5, 16, generator=generator)
    expected = torch.cat([layer(x[[i]], x[[i], :n])[0] for i, n in enumerate((3, 5))])
    assert_close(model(x, lengths), expected)
    assert_close(torch.compile(model, backend="eager", fullgraph=True)(x, lengths), expected)
    assert_close(torch.export.export(model, (x, lengths)).module()(x, lengths), expected)


@pytest.mark.nightly
def test_steps_with_a_cache_compile_as_one_graph(generator):
    model = language_model("learned")
    tokens = torch.randint(11, (2, 6), generator=generator)
    step = torch.compile(
        lambda new, caches: model(new, caches=caches)[0], backend="eager", fullgraph=True
    )
    with torch.no_grad():
        caches = model.make_caches(2, 6)
        parts = [step(part, caches) for part in tokens.split([4, 1, 1], dim=1)]
        assert_close(torch.cat(parts, dim=1), model(tokens)[0])


def test_jit_trace_and_compile_and_export_give_the_same(generator, layer):
    model, x = Causal(layer).eval(), torch.randn(2, 5, 16, generator=generator)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        traced = torch.jit.trace(model, x)
    assert_close(traced(x), model(x))
    assert_close(torch.compile(model, backend="eager")(x), model(x))
    sizes = {0: torch.export.Dim("batch", min=2, max=8), 1: torch.export.Dim("length", min=2)}
    longer = torch.randn(3, 9, 16, generator=generator)
    exported = torch.export.export(model, (x,), dynamic_shapes=(sizes,))
    assert_close(exported.module()(longer), model(longer))


# --- projections that are no nn.Linear -------------------------------------------------------


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("wrap", [Wrapped, LoRA, Int8])
@pytest.mark.parametrize("attention", ATTENTIONS)
def test_a_model_of_wrapped_projections_is_the_merged_one(generator, attention, wrap, dtype):
    """With caches and without; LoRA stays in float32, whatever the model has."""
    model = with_projections(language_model("rotary", attention).to(dtype), wrap).eval()
    tokens = torch.randint(11, (2, 5), generator=generator)
    with torch.no_grad():
        caches = model.make_caches(2, 5)
        parts = [model(part, caches=caches)[0] for part in tokens.split([3, 1, 1], dim=1)]
        whole, exact = model(tokens)[0], merged(model)(tokens)[0]
    atol = 0.15 if dtype == torch.bfloat16 else 1e-5
    assert exact.std() > 0.1 and whole.dtype == dtype
    assert_close(whole.double(), exact, atol=atol, rtol=atol)
    assert_close(torch.cat(parts, dim=1).double(), exact, atol=atol, rtol=atol)


@pytest.mark.parametrize("wrap", [Wrapped, LoRA, Int8])
def test_an_encoder_decoder_of_wrapped_parts_writes(generator, wrap):
    torch.manual_seed(0)
    reader = with_projections(course_lib.EncoderDecoder(11, 11, 16, 4, 1), wrap).eval()
    reader.source_embedding = Wrapped(reader.source_embedding)
    reader.target_embedding = Wrapped(reader.target_embedding)
    source = torch.randint(11, (2, 4), generator=generator)
    with_cache, without = (
        reader.generate(source, 5, start=1, use_cache=use_cache) for use_cache in (True, False)
    )
    assert_close(with_cache, without)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_latents_of_a_wrapped_layer_are_made_into_keys_by_all_of_it(generator, dtype):
    """The absorbed form reads ``weight``: of an adapter, that is not the whole map."""
    torch.manual_seed(0)
    layer = course_lib.LatentAttention(16, 4, 6, dtype=dtype).eval()
    layer.value_up = LoRA(layer.value_up).to(dtype)
    x = torch.randn(2, 5, 16, dtype=dtype, generator=generator)
    with torch.no_grad():
        cache = layer.make_cache(2, 5)
        parts = [layer(part, is_causal=True, cache=cache)[0] for part in x.split(1, dim=1)]
        assert_close(torch.cat(parts, dim=1), layer(x, is_causal=True, absorb=False)[0])
    with pytest.raises(ValueError, match="value_up must be an nn.Linear itself, .* got .*LoRA"):
        layer(x, absorb=True)


COPIES = {
    "attention_to_torch": attention_to_torch,
    "separate_heads": course_lib.separate_heads,
    "shard_attention": lambda layer: shard_attention(layer, 0, 2),
    "merge_heads": lambda layer: merge_heads([layer], layer.out_proj),
}
CHANGED = {
    "wrapped": lambda layer: with_projections(layer, Wrapped),
    "LoRA": lambda layer: with_projections(layer, LoRA),
    "8 bits": lambda layer: with_projections(layer, Int8),
}


@pytest.mark.parametrize("copy_of", COPIES)
@pytest.mark.parametrize("change", CHANGED)
def test_what_copies_weights_refuses_projections_that_are_more_than_theirs(copy_of, change):
    layer = CHANGED[change](course_lib.MultiHeadAttention(16, 4))
    with pytest.raises(ValueError, match=r"(q|out)_proj must be an nn.Linear itself, whose weight"):
        COPIES[copy_of](layer)
    network = with_projections(language_model("none").stack.blocks[0], LoRA).feed_forward
    refuses(ValueError, "up_proj must be an nn.Linear itself", shard_feed_forward, network, 0, 2)


def test_a_quantized_model_writes_and_its_layer_stays_near(generator, layer):
    def quantized(model):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch.ao is on its way to a package of its own
            return torch.ao.quantization.quantize_dynamic(copy.deepcopy(model), {nn.Linear})

    x = torch.randn(2, 5, 16, generator=generator)
    assert_close(quantized(layer)(x)[0], layer(x)[0], atol=0.05, rtol=0)
    model = language_model("rotary")
    tokens = torch.randint(11, (2, 4), generator=generator)
    written = quantized(model).generate(tokens, 3)
    assert_close(written, quantized(model).generate(tokens, 3, use_cache=False))


# --- writing ---------------------------------------------------------------------------------


def test_a_cache_takes_the_dtype_that_comes_wherever_it_was_made(generator):
    model, tokens = language_model("rotary"), torch.randint(11, (2, 4), generator=generator)
    caches = model.make_caches(2, 8)
    with torch.autocast("cpu", torch.bfloat16), torch.no_grad():
        inside = model.make_caches(2, 8)
        assert_close(model(tokens, caches=caches)[0], model(tokens)[0])
    with torch.no_grad():
        assert_close(model(tokens, caches=inside)[0], model(tokens)[0])
    with torch.inference_mode():  # a buffer that is made here serves outside too
        filled = model.make_caches(2, 8)
        model(tokens, caches=filled)
    with torch.no_grad():
        both = torch.cat((tokens, tokens), dim=1)
        assert_close(model(tokens, caches=filled)[0], model(both)[0][:, 4:])


def test_a_reader_writes_under_autocast(generator):
    reader = course_lib.EncoderDecoder(11, 11, 16, 4, 1).eval()
    tokens = torch.randint(11, (2, 4), generator=generator)
    with torch.autocast("cpu", torch.bfloat16):
        written = reader.generate(tokens, 5, start=1)
        assert_close(written, reader.generate(tokens, 5, start=1, use_cache=False))
