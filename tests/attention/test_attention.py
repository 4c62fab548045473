"""Attention against a loop over numbers, and the fused form against it."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib import best_device, scaled_dot_product_attention
from course_lib.attention.masks import masked_softmax
from course_lib.attention.scaled_dot_product import fused_attention
from reference_attention import DTYPES, PROPERTY

# Largest difference allowed from the same sum in float64: a few roundings of numbers around 1.
TOLERANCE = dict(zip(DTYPES, (1e-12, 1e-5, 5e-3, 4e-2), strict=True))


def random_qkv(generator, leading, lengths, head_dim=8, value_dim=3, dtype=torch.float64):
    """Standard normal inputs: scaled scores have variance 1, far from a saturated softmax."""
    shapes = (lengths[0], head_dim), (lengths[1], head_dim), (lengths[1], value_dim)
    drawn = (torch.randn(*leading, *shape, generator=generator).double() for shape in shapes)
    return tuple(x.to(dtype) for x in drawn)


def attention_by_loop(query, key, value, mask=None, scale=None, is_causal=False):
    """One query, one key at a time, in Python's own floats. Inputs of two dimensions."""
    query_len, head_dim = query.shape
    key_len, value_dim = value.shape
    scale = 1 / math.sqrt(head_dim) if scale is None else scale
    output = torch.zeros(query_len, value_dim, dtype=torch.float64)
    weights = torch.zeros(query_len, key_len, dtype=torch.float64)
    for i in range(query_len):
        last = i + key_len - query_len if is_causal else key_len  # the queries come last
        allowed = [j for j in range(key_len) if j <= last and (mask is None or mask[i, j])]
        exps = {
            j: math.exp(scale * sum(float(query[i, d]) * float(key[j, d]) for d in range(head_dim)))
            for j in allowed
        }
        for j in allowed:
            weights[i, j] = exps[j] / sum(exps.values())
            for d in range(value_dim):
                output[i, d] += weights[i, j] * float(value[j, d])
    return output, weights


def assert_close(actual, expected, dtype=None):
    tolerance = TOLERANCE[dtype or actual.dtype]
    torch.testing.assert_close(
        actual.double().cpu(), expected.double().cpu(), rtol=tolerance, atol=tolerance
    )


# --- equal to an independent truth -----------------------------------------------------------


LENGTHS = st.tuples(st.integers(0, 5), st.integers(0, 5))
OPTIONS = {"masked": st.booleans(), "is_causal": st.booleans()} | {
    "scale": st.sampled_from([None, 0.3, 1])
}


@PROPERTY
@given(
    leading=st.sampled_from([(), (2,), (2, 1, 2)]),
    lengths=LENGTHS,
    dtype=st.sampled_from(list(TOLERANCE)),
    mask_of=st.sampled_from(["all", "keys", "queries", "pairs"]),
    **OPTIONS,
)
def test_equals_a_float64_loop(leading, lengths, dtype, mask_of, masked, is_causal, scale):
    """With any leading dimensions, as many queries and keys as there may be, and empty rows."""
    generator = torch.Generator().manual_seed(lengths[0])
    inputs = random_qkv(generator, leading, lengths, head_dim=4, dtype=dtype)
    copies = [tensor.clone() for tensor in inputs]
    full = (*leading[:1], *(1 for _ in leading[1:]), *lengths)
    ones = {"all": (), "keys": (1, lengths[1]), "queries": (lengths[0], 1)}
    mask = torch.rand(ones.get(mask_of, full), generator=generator) < 0.6 if masked else None
    options = {"is_causal": is_causal, "scale": scale}
    output, weights = scaled_dot_product_attention(*inputs, mask=mask, **options)
    assert output.shape == (*leading, lengths[0], 3) and weights.shape == (*leading, *lengths)
    assert output.dtype == weights.dtype == dtype and all(map(torch.equal, inputs, copies))
    seen = torch.ones(*leading, *lengths, dtype=torch.bool)
    seen = seen if mask is None else seen & mask
    count = math.prod(leading)
    flat = (x.reshape(count, *x.shape[-2:]) for x in (*inputs, seen, output, weights))
    for q, k, v, own, out, shares in zip(*flat, strict=True):
        expected_output, expected_weights = attention_by_loop(q, k, v, own, **options)
        assert_close(out, expected_output, dtype)
        assert_close(shares, expected_weights, dtype)


@PROPERTY
@given(
    batch=st.sampled_from([1, 2, 5]),
    key_heads=st.sampled_from([4, 2, 1]),
    lengths=LENGTHS,
    **OPTIONS,
)
def test_the_fused_form_is_the_same_with_a_key_head_for_each_or_for_several(
    batch, key_heads, lengths, masked, is_causal, scale
):
    generator = torch.Generator().manual_seed(batch)
    query, _, _ = random_qkv(generator, (batch, 4), lengths)
    _, key, value = random_qkv(generator, (batch, key_heads), lengths)
    mask = torch.rand(batch, 1, *lengths, generator=generator) < 0.6 if masked else None
    options = {"mask": mask, "is_causal": is_causal, "scale": scale}
    for_each = (x.repeat_interleave(4 // key_heads, dim=1) for x in (key, value))
    expected, _ = scaled_dot_product_attention(query, *for_each, **options)
    assert_close(fused_attention(query, key, value, **options), expected)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_masked_softmax_sums_half_precision_in_float32(dtype):
    """A sum of 4096 ones stops growing at 2048 in float16 and at 256 in bfloat16."""
    assert masked_softmax(torch.zeros(1, 4096, dtype=dtype), None).unique().item() == 1 / 4096


def test_another_dtype_and_no_features_are_refused():
    x = torch.zeros(2, 4, 8)
    with pytest.raises(TypeError, match="key must have query's dtype torch.float32, got torch.fl"):
        scaled_dot_product_attention(x, x.double(), x)
    with pytest.raises(ValueError, match="query must have head_dim of at least 1, got 0"):
        scaled_dot_product_attention(x[..., :0], x[..., :0], x)


# --- the package -----------------------------------------------------------------------------


def test_best_device_is_cuda_exactly_when_there_is_one(monkeypatch):
    for available, expected in [(True, "cuda"), (False, "cpu")]:
        monkeypatch.setattr(torch.cuda, "is_available", lambda available=available: available)
        assert best_device() == torch.device(expected)
