"""Partial softmaxes and tiles against the softmax itself, in float64 and in any order."""

import functools
import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from course_lib import causal_mask, scaled_dot_product_attention
from course_lib.attention.online_softmax import merge, partial_softmax
from course_lib.attention.tiled import tiled_attention
from reference_attention import PROPERTY

TOLERANCE = {"rtol": 1e-10, "atol": 1e-12}


def random_parts(seed, key_len=7, shape=(2, 3), spread=1.0):
    """Scores and values, and a part for each single key."""
    options = {"generator": torch.Generator().manual_seed(seed), "dtype": torch.float64}
    scores = spread * torch.randn(*shape, key_len, **options)
    value = torch.randn(*shape[:-1], key_len, 4, **options)
    parts = [partial_softmax(scores[..., [j]], value[..., [j], :]) for j in range(key_len)]
    return scores, value, parts


def assert_same(part, other):
    for a, b in zip(part, other, strict=True):
        torch.testing.assert_close(a, b, **TOLERANCE)


@PROPERTY
@given(st.permutations(range(7)), st.integers(1, 5), st.sampled_from([20.0, 300.0]))
def test_parts_merge_in_any_order_and_in_any_groups(order, cut, spread):
    scores, value, parts = random_parts(cut, spread=spread)
    shuffled = [parts[i] for i in order]
    left, right = (functools.reduce(merge, some) for some in (shuffled[:cut], shuffled[cut:]))
    whole = partial_softmax(scores, value)
    for merged in (merge(left, right), merge(right, left), functools.reduce(merge, parts)):
        assert_same(merged, whole)
    torch.testing.assert_close(whole.output(), scores.softmax(dim=-1) @ value, **TOLERANCE)
    logsumexp = whole.maximum + whole.total.log()
    torch.testing.assert_close(logsumexp[..., 0], scores.logsumexp(dim=-1), **TOLERANCE)


def test_nothing_changes_nothing():
    scores, value, _ = random_parts(1)
    part = partial_softmax(scores, value)
    nothing = partial_softmax(scores[..., :0], value[..., :0, :])
    assert (nothing.maximum == -math.inf).all()
    assert not nothing.total.any() and not nothing.weighted.any() and not nothing.output().any()
    for merged in (merge(part, nothing), merge(nothing, part)):
        assert all(torch.equal(a, b) for a, b in zip(merged, part, strict=True))
    assert_same(merge(nothing, nothing), nothing)
    assert_same(partial_softmax(scores, value, torch.zeros(7, dtype=torch.bool)), nothing)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_sums_of_half_precision_are_kept_in_float32(dtype):
    scores, value, _ = random_parts(4)
    part = partial_softmax(scores.to(dtype), value.to(dtype))
    assert {tensor.dtype for tensor in part} == {torch.float32}
    many = partial_softmax(torch.zeros(1, 5000, dtype=dtype), torch.ones(5000, 1, dtype=dtype))
    assert many.total.item() == 5000 and many.output().item() == 1


def test_gradients_are_those_of_the_softmax_also_beside_empty_rows():
    scores, value, _ = random_parts(5)
    mask = torch.ones(3, 7, dtype=torch.bool)
    mask[1], mask[2, 2:] = False, False

    def attend(scores, value):
        halves = [
            partial_softmax(scores[..., s], value[..., s, :], mask[:, s])
            for s in (slice(3), slice(3, 7))
        ]
        return merge(*halves).output()

    assert torch.autograd.gradcheck(attend, (scores.requires_grad_(), value.requires_grad_()))
    assert not attend(scores, value)[:, 1].any()


LENGTHS = [(1, 1), (5, 5), (16, 16), (17, 17), (1, 33), (9, 33), (33, 9), (0, 5), (5, 0)]


@pytest.mark.parametrize("query_len, key_len", LENGTHS)
@pytest.mark.parametrize("is_causal", [False, True])
@pytest.mark.parametrize("masked", [False, True])
def test_tiles_equal_the_table(query_len, key_len, is_causal, masked):
    generator = torch.Generator().manual_seed(query_len + 100 * key_len)
    options = {"generator": generator, "dtype": torch.float64}
    query, key = (torch.randn(2, 3, n, 8, **options) for n in (query_len, key_len))
    value = torch.randn(2, 3, key_len, 6, **options)
    mask = torch.rand(2, 1, query_len, key_len, generator=generator) < 0.6 if masked else None
    settings = {"mask": mask, "is_causal": is_causal}
    expected, _ = scaled_dot_product_attention(query, key, value, **settings)
    for block_len in (1, 4, 16, 100):
        output = tiled_attention(query, key, value, block_len=block_len, **settings)
        torch.testing.assert_close(output, expected, **TOLERANCE)


@pytest.mark.parametrize("dtype, atol", [(torch.float16, 2e-3), (torch.bfloat16, 2e-2)])
def test_tiles_in_half_precision_are_as_near_as_the_fused_kernel(dtype, atol):
    torch.manual_seed(0)
    query, key, value = (torch.randn(2, 2, 100, 16, dtype=dtype) for _ in range(3))
    exact = F.scaled_dot_product_attention(*(t.double() for t in (query, key, value)))
    output = tiled_attention(query, key, value, block_len=16)
    assert output.dtype == dtype
    torch.testing.assert_close(output.double(), exact, rtol=0, atol=atol)


def test_scale_and_gradients_of_tiles():
    torch.manual_seed(0)
    inputs = [torch.randn(1, 6, 4, dtype=torch.float64, requires_grad=True) for _ in range(3)]
    mask = causal_mask(6)
    mask[3] = False
    expected, _ = scaled_dot_product_attention(*inputs, mask=mask, scale=0.3)
    output = tiled_attention(*inputs, mask=mask, scale=0.3, block_len=4)
    torch.testing.assert_close(output, expected, **TOLERANCE)
    grad_output = torch.randn_like(expected)
    wanted = torch.autograd.grad(expected, inputs, grad_output)
    for got, gradient in zip(torch.autograd.grad(output, inputs, grad_output), wanted, strict=True):
        torch.testing.assert_close(got, gradient, **TOLERANCE)


def tiles_made(monkeypatch, **settings):
    """How many tiles of scores are computed for 64 queries and keys in tiles of 16."""
    shapes = []

    def counting(scores, value, mask=None):
        shapes.append(tuple(scores.shape))
        return partial_softmax(scores, value, mask)

    monkeypatch.setattr("course_lib.attention.tiled.partial_softmax", counting)
    tiled_attention(*[torch.randn(64, 4) for _ in range(3)], block_len=16, **settings)
    return sum(shape[-1] > 0 for shape in shapes), max(shapes)


def test_tiles_that_are_hidden_are_skipped_and_none_is_larger_than_asked(monkeypatch):
    assert tiles_made(monkeypatch) == (16, (16, 16))
    assert tiles_made(monkeypatch, is_causal=True) == (10, (16, 16))
    halves = torch.zeros(64, 64, dtype=torch.bool)
    halves[:32, :32], halves[32:, 32:] = True, True
    assert tiles_made(monkeypatch, mask=halves) == (8, (16, 16))
    assert tiles_made(monkeypatch, mask=halves, is_causal=True) == (6, (16, 16))


def test_tiles_have_a_length():
    x = torch.randn(2, 5, 4)
    with pytest.raises(ValueError, match="block_len must be at least 1, got 0"):
        tiled_attention(x, x, x, block_len=0)
