"""The library in others' hands: autocast, vmap, tracing, export, wrapped and quantized layers."""

import copy
import warnings

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from course_lib import (
    DecoderLM,
    EncoderDecoder,
    LatentAttention,
    MultiHeadAttention,
    scaled_dot_product_attention,
)
from course_lib.attention.masks import masked_softmax


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(0)


@pytest.fixture
def layer():
    torch.manual_seed(0)
    return MultiHeadAttention(16, 4).eval()


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


def language_model(positions):
    torch.manual_seed(0)
    model = DecoderLM(11, 16, 4, 2, positions=positions, max_len=32, dropout=0.3)
    with torch.no_grad():  # logits that differ enough to be told apart, and positions that count
        model.embedding.weight.mul_(40)
        if positions == "learned":
            model.positions.weight.mul_(40)
    return model.eval()


# --- a mask of three dimensions --------------------------------------------------------------


@pytest.mark.parametrize("batch", [2, 4])
def test_a_mask_of_three_dimensions_is_refused_beside_heads(generator, batch):
    """It would count as one per head wherever there are as many heads as sequences."""
    query = torch.randn(batch, 2, 4, 8, generator=generator)
    mask = torch.ones(batch, 4, 4, dtype=torch.bool)
    with pytest.raises(ValueError, match=r"mask must have 2 dimensions .* mask\[:, None\]"):
        scaled_dot_product_attention(query, query, query, mask=mask)
    with pytest.raises(ValueError, match=r"mask must have 2 dimensions .* mask\[:, None\]"):
        masked_softmax(query @ query.transpose(-2, -1), mask)
    of_one_head = query[:, 0]
    scaled_dot_product_attention(of_one_head, of_one_head, of_one_head, mask=mask)


def test_masked_softmax_refuses_a_mask_of_numbers():
    with pytest.raises(TypeError, match="mask must be boolean"):
        masked_softmax(torch.zeros(2, 2), torch.ones(2, 2))


# --- torch's own transforms ------------------------------------------------------------------


@pytest.mark.parametrize("mapped", ["masks", "queries"])
@pytest.mark.parametrize("gradients", [True, False])
def test_vmap_gives_what_a_loop_gives(generator, mapped, gradients):
    query = torch.randn(3, 4, 5, 8, generator=generator)
    masks = torch.rand(3, 5, 5, generator=generator) < 0.6
    masks[1, 2] = False  # a row that sees nothing

    def of_mask(mask):
        return scaled_dot_product_attention(query, query, query, mask=mask)[0]

    def of_query(one):
        return scaled_dot_product_attention(one, one, one, mask=masks[1])[0]

    function, inputs = (of_mask, masks) if mapped == "masks" else (of_query, query)
    with torch.set_grad_enabled(gradients):
        assert_close(torch.vmap(function)(inputs), torch.stack([function(one) for one in inputs]))


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


def test_a_wrapped_projection_works_and_bad_shapes_are_still_named(generator, layer):
    x = torch.randn(2, 5, 16, generator=generator)
    wrapped = copy.deepcopy(layer)
    wrapped.q_proj = Wrapped(wrapped.q_proj)
    assert_close(wrapped(x)[0], layer(x)[0])
    with pytest.raises(ValueError, match="query must have shape .*d_model=16"):
        wrapped(x[..., :8])


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


def test_models_write_under_autocast(generator):
    model = language_model("learned")
    reader = EncoderDecoder(11, 11, 16, 4, 1).eval()
    tokens = torch.randint(11, (2, 4), generator=generator)
    with torch.autocast("cpu", torch.bfloat16):
        assert_close(model.generate(tokens, 5), model.generate(tokens, 5, use_cache=False))
        written = reader.generate(tokens, 5, start=1)
        assert_close(written, reader.generate(tokens, 5, start=1, use_cache=False))
        for block in model.stack.blocks:
            block.attention = LatentAttention(16, 4, 6).eval()
        assert_close(model.generate(tokens, 5), model.generate(tokens, 5, use_cache=False))
    held, _ = language_model("learned").make_caches(1, 4)[0].append(*torch.zeros(2, 1, 4, 1, 4))
    assert held.dtype == torch.float32


def test_writing_gives_every_part_its_own_mode_back(generator):
    tokens = torch.randint(11, (1, 3), generator=generator)
    model, reader = language_model("rotary"), EncoderDecoder(11, 11, 16, 4, 1)
    model.train()
    model.stack.blocks[0].eval()
    reader.encoder.eval()
    before = [[part.training for part in each.modules()] for each in (model, reader)]
    model.generate(tokens, 1)
    reader.generate(tokens, 1, start=1)
    assert before == [[part.training for part in each.modules()] for each in (model, reader)]
