"""The reference attention against torch, a float64 loop and the properties that define it."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from course_lib import best_device, scaled_dot_product_attention
from course_lib.attention.masks import masked_softmax
from course_lib.attention.scaled_dot_product import fused_attention
from reference_attention import PROPERTY

DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])
# Largest difference allowed from the same sum in float64: a few roundings of numbers around 1.
TOLERANCE = {
    torch.float64: 1e-12,
    torch.float32: 1e-5,
    torch.float16: 5e-3,
    torch.bfloat16: 4e-2,
}


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(0)


def random_qkv(
    generator,
    leading=(2, 3),
    query_len=5,
    key_len=5,
    head_dim=8,
    value_dim=None,
    dtype=torch.float64,
    device="cpu",
):
    """Standard normal inputs: scaled scores have variance 1, far from a saturated softmax."""

    def draw(*shape):
        return torch.randn(*leading, *shape, generator=generator, dtype=torch.float64)

    value_dim = head_dim if value_dim is None else value_dim
    shapes = (query_len, head_dim), (key_len, head_dim), (key_len, value_dim)
    return tuple(draw(*shape).to(device=device, dtype=dtype) for shape in shapes)


def random_mask(generator, *shape):
    """About half the pairs allowed, and each row allows at least key 0."""
    mask = torch.rand(*shape, generator=generator) < 0.5
    mask[..., 0] = True
    return mask


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


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("masking", ["none", "mask", "causal"])
def test_equals_torch(generator, dtype, masking, device):
    query, key, value = random_qkv(generator, dtype=dtype, device=device)
    mask = random_mask(generator, 5, 5).to(device) if masking == "mask" else None
    is_causal = masking == "causal"
    output, weights = scaled_dot_product_attention(
        query, key, value, mask=mask, is_causal=is_causal
    )
    expected = F.scaled_dot_product_attention(
        query.double(), key.double(), value.double(), attn_mask=mask, is_causal=is_causal
    )
    assert_close(output, expected, dtype)
    assert output.dtype == weights.dtype == dtype
    assert output.device.type == weights.device.type == device


LENGTHS = st.tuples(st.integers(0, 5), st.integers(0, 5))
OPTIONS = {"masked": st.booleans(), "is_causal": st.booleans()} | {
    "scale": st.sampled_from([None, 0.3, 1])
}


@PROPERTY
@given(leading=st.sampled_from([(), (2,), (2, 1, 2)]), lengths=LENGTHS, **OPTIONS)
def test_equals_a_float64_loop(leading, lengths, masked, is_causal, scale):
    """With any leading dimensions, as many queries and keys as there may be, and empty rows."""
    generator = torch.Generator().manual_seed(lengths[0])
    sizes = {"query_len": lengths[0], "key_len": lengths[1], "head_dim": 4, "value_dim": 3}
    inputs = random_qkv(generator, leading, **sizes)
    mask = torch.rand(lengths, generator=generator) < 0.6 if masked else None
    options = {"mask": mask, "is_causal": is_causal, "scale": scale}
    output, weights = scaled_dot_product_attention(*inputs, **options)
    assert output.shape == (*leading, lengths[0], 3) and weights.shape == (*leading, *lengths)
    count = math.prod(leading)
    flat = (x.reshape(count, *x.shape[-2:]) for x in (*inputs, output, weights))
    for q, k, v, out, shares in zip(*flat, strict=True):
        expected_output, expected_weights = attention_by_loop(q, k, v, **options)
        assert_close(out, expected_output)
        assert_close(shares, expected_weights)


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
    query, _, _ = random_qkv(generator, (batch, 4), lengths[0], lengths[1])
    _, key, value = random_qkv(generator, (batch, key_heads), lengths[0], lengths[1], value_dim=3)
    mask = torch.rand(batch, 1, *lengths, generator=generator) < 0.6 if masked else None
    options = {"mask": mask, "is_causal": is_causal, "scale": scale}
    for_each = (x.repeat_interleave(4 // key_heads, dim=1) for x in (key, value))
    expected, _ = scaled_dot_product_attention(query, *for_each, **options)
    assert_close(fused_attention(query, key, value, **options), expected)


def test_inputs_are_unchanged(generator):
    query, key, value = random_qkv(generator)
    mask = random_mask(generator, 5, 5)
    inputs = query, key, value, mask
    copies = [tensor.clone() for tensor in inputs]
    scaled_dot_product_attention(query, key, value, mask=mask, is_causal=True)
    for tensor, copy in zip(inputs, copies, strict=True):
        assert torch.equal(tensor, copy)


# --- masks of every shape --------------------------------------------------------------------


@pytest.mark.parametrize(
    "shape",
    [(), (1,), (6,), (1, 6), (4, 1), (4, 6), (1, 3, 4, 6), (2, 1, 1, 6), (2, 3, 4, 6)],
    ids=str,
)
def test_mask_of_each_shape_that_broadcasts(generator, shape):
    query, key, value = random_qkv(generator, query_len=4, key_len=6)
    mask = torch.rand(shape, generator=generator) < 0.5
    output, weights = scaled_dot_product_attention(query, key, value, mask=mask)
    allowed = mask.expand(2, 3, 4, 6)
    assert torch.equal(weights > 0, allowed)
    for index in [(0, 0), (1, 2)]:
        expected, _ = attention_by_loop(query[index], key[index], value[index], allowed[index])
        assert_close(output[index], expected)


# --- nothing to attend to, and gradients -----------------------------------------------------


@pytest.mark.filterwarnings("ignore:Anomaly Detection")  # it warns that it is slow
@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
def test_empty_rows_are_zero_with_finite_gradients(generator, dtype):
    inputs = [tensor.requires_grad_() for tensor in random_qkv(generator, dtype=dtype)]
    mask = random_mask(generator, 5, 5)
    mask[1] = mask[4] = False
    with torch.autograd.detect_anomaly(check_nan=True):
        output, weights = scaled_dot_product_attention(*inputs, mask=mask)
        (output.square().sum() + weights.square().sum()).backward()
    assert (output[..., [1, 4], :] == 0).all()
    assert (weights[..., [1, 4], :] == 0).all()
    for tensor in inputs:
        assert tensor.grad.isfinite().all()
        assert tensor.grad.abs().sum() > 0
    query = inputs[0]
    assert (query.grad[..., [1, 4], :] == 0).all()  # an empty row does not depend on its query


# --- masked_softmax --------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
def test_masked_softmax_is_the_softmax_of_the_allowed_scores(generator, dtype):
    scores = torch.randn(4, 6, generator=generator, dtype=torch.float64).to(dtype)
    mask = random_mask(generator, 4, 6)
    mask[2] = False
    weights = masked_softmax(scores, mask)
    assert weights.dtype == dtype
    for row_weights, row_scores, row_mask in zip(weights, scores, mask, strict=True):
        expected = torch.zeros(6, dtype=torch.float64)
        expected[row_mask] = row_scores[row_mask].double().softmax(dim=0)
        assert_close(row_weights, expected, dtype)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_masked_softmax_sums_half_precision_in_float32(dtype):
    """A sum of 4096 ones stops growing at 2048 in float16 and at 256 in bfloat16."""
    weights = masked_softmax(torch.zeros(1, 4096, dtype=dtype), None)
    assert weights.unique().item() == 1 / 4096


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
