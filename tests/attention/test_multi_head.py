"""MultiHeadAttention: both paths against float64 loops, torch's module and its properties."""

import copy

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_lib import MultiHeadAttention, RotaryEmbedding
from reference_attention import DTYPES, PROPERTY, cases
from refusals import refuses

TOLERANCES = dict(zip(DTYPES, (1e-12, 1e-5, 1e-2, 8e-2), strict=True))


def close(actual, expected, atol):
    torch.testing.assert_close(actual.double(), expected.double(), atol=atol, rtol=atol)


# --- both paths and the truth ------------------------------------------------------------------


@PROPERTY
@given(cases(), st.sampled_from(list(TOLERANCES)))
def test_both_paths_match_float64(case, dtype):
    output, weights = case.expected(dtype)
    fused, no_weights = case.run(dtype)
    shown, shown_weights = case.run(dtype, need_weights=True)
    assert no_weights is None
    assert fused.dtype == shown.dtype == shown_weights.dtype == dtype
    assert fused.shape == shown.shape == case.query.shape
    close(fused, output, TOLERANCES[dtype])
    close(shown, output, TOLERANCES[dtype])
    close(shown_weights, weights, TOLERANCES[dtype])
    with torch.no_grad():  # computed in place
        output_in_place, weights_in_place = case.run(dtype, need_weights=True)
    assert torch.equal(output_in_place, shown) and torch.equal(weights_in_place, shown_weights)


@PROPERTY
@given(cases())
def test_both_paths_have_the_same_finite_gradients(case):
    probe = torch.randn_like(case.query)
    gradients = []
    for need_weights in (False, True):
        inputs = [x for x in (case.query, case.key, case.value) if x is not None]
        for x in inputs:
            x.requires_grad_(True)
        output, _ = case.run(need_weights=need_weights)
        of_path = torch.autograd.grad(
            (output * probe).sum(), [*inputs, *case.module.parameters()], allow_unused=True
        )
        gradients.append([torch.zeros(()) if g is None else g for g in of_path])
    for fused, shown in zip(*gradients, strict=True):
        assert fused.isfinite().all()
        close(fused.expand_as(shown), shown.expand_as(fused), 1e-11)


# --- some of the heads -------------------------------------------------------------------------


@pytest.mark.parametrize("need_weights", [False, True])
@pytest.mark.parametrize("num_kv_heads", [6, 3])
@pytest.mark.parametrize("mask_name", ["none", "for all heads", "for each head"])
def test_projections_of_some_heads_give_their_part_of_the_sum(
    need_weights, num_kv_heads, mask_name
):
    module = MultiHeadAttention(24, 6, num_kv_heads=num_kv_heads, bias=False, dtype=torch.float64)
    x, masks = torch.randn(7, 5, 24, dtype=torch.float64), {"none": None}  # more rows than heads
    masks["for all heads"] = torch.rand(7, 1, 5, 5) < 0.6
    masks["for each head"] = torch.rand(7, 6, 5, 5) < 0.6
    mask = masks[mask_name]
    options = {"is_causal": True, "need_weights": need_weights}
    expected, expected_weights = module(x, mask=mask, **options)
    total, weights, group = torch.zeros_like(x), [], 6 // num_kv_heads
    for first, last in ((0, 2), (2, 6)):  # two heads here, four there
        part = copy.deepcopy(module)
        wide, narrow = slice(first * 4, last * 4), slice(first // group * 4, last // group * 4)
        for name, rows in (("q_proj", wide), ("k_proj", narrow), ("v_proj", narrow)):
            getattr(part, name).weight = nn.Parameter(getattr(module, name).weight[rows])
        part.out_proj.weight = nn.Parameter(module.out_proj.weight[:, wide])
        of_heads = mask if mask_name != "for each head" else mask[:, first:last]
        output, part_weights = part(x, mask=of_heads, **options)
        total, weights = total + output, [*weights, part_weights]
    close(total, expected, 1e-12)
    if need_weights:
        close(torch.cat(weights, dim=1), expected_weights, 1e-12)


# --- dropout -----------------------------------------------------------------------------------


def test_dropout_only_in_training_and_weights_come_before_it():
    module = MultiHeadAttention(16, 4, dropout=0.5)
    x = torch.randn(4, 12, 16)
    plain, weights = module.eval()(x, need_weights=True)
    assert torch.equal(module(x)[0], module(x)[0])
    dropped, dropped_weights = module.train()(x, need_weights=True)
    close(dropped_weights, weights, 1e-7)
    assert not torch.allclose(dropped, plain, atol=1e-3)
    assert not torch.equal(module(x)[0], module(x)[0])


@pytest.mark.parametrize("need_weights", [False, True])
def test_dropout_keeps_the_mean(need_weights):
    torch.manual_seed(0)
    module = MultiHeadAttention(8, 2, dropout=0.3)
    x = torch.randn(1, 6, 8)
    plain, _ = module.eval()(x)
    module.train()
    many, _ = module(x.expand(20000, -1, -1), need_weights=need_weights)
    assert ((many.mean(0, keepdim=True) - plain).abs() < 6 * many.std(0) / 20000**0.5).all()


# --- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error, message, arguments",
    [
        (ValueError, "num_heads must divide d_model 10, got 4", {"d_model": 10}),
        (ValueError, "num_kv_heads must divide num_heads 4, got 3", {"num_kv_heads": 3}),
        (ValueError, "num_heads must be at least 1, got 0", {"num_heads": 0}),
        (ValueError, "num_kv_heads must be at least 1, got 0", {"num_kv_heads": 0}),
        (TypeError, "d_model must be an integer, got 16.0", {"d_model": 16.0}),
        (ValueError, "dropout must be between 0 and 1, got 1.5", {"dropout": 1.5}),
        (ValueError, "rotary must have head_dim 4, got 8", {"rotary": RotaryEmbedding(8)}),
    ],
)
def test_bad_settings_are_refused(error, message, arguments):
    refuses(error, message, MultiHeadAttention, **{"d_model": 16, "num_heads": 4} | arguments)


def test_what_does_not_belong_together_is_refused():
    layer, x = MultiHeadAttention(16, 4, rotary=RotaryEmbedding(4)), torch.zeros(2, 5, 16)
    refuses(ValueError, "value must come with a key", layer, x, value=x)
    refuses(ValueError, "rotary fits self-attention only, but a key was given", layer, x, x)
