"""Sinks, sigmoids and gates against their equations and properties."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from comparing_modules import close
from course_lib import causal_mask
from course_lib.attention.sinks import attention_with_sink, gated, sigmoid_attention
from reference_attention import PROPERTY


def random_inputs(batch=2, heads=3, query_len=4, key_len=6, dtype=torch.float64):
    q = torch.randn(batch, heads, query_len, 5, dtype=dtype)
    k = torch.randn(batch, heads, key_len, 5, dtype=dtype)
    v = torch.randn(batch, heads, key_len, 7, dtype=dtype)
    return q, k, v


LENGTHS = st.tuples(st.integers(0, 6), st.integers(0, 6))


@PROPERTY
@given(LENGTHS, st.booleans(), st.booleans(), st.sampled_from([None, 0.3, 2]))
def test_both_are_their_equations(lengths, is_causal, masked, scale):
    q, k, v = random_inputs(query_len=lengths[0], key_len=lengths[1])
    mask = torch.rand(2, 1, *lengths) < 0.6 if masked else None
    options = {"mask": mask, "is_causal": is_causal, "scale": scale}
    sink, bias = torch.randn(2, 3, dtype=torch.float64)
    seen = causal_mask(*lengths) if is_causal else torch.ones(lengths, dtype=torch.bool)
    seen = (seen if mask is None else seen & mask).expand(2, 3, *lengths)
    scores = (q @ k.mT * (5**-0.5 if scale is None else scale)).masked_fill(~seen, -math.inf)
    with_sink = torch.cat((scores, sink[:, None, None].expand(2, 3, lengths[0], 1)), dim=-1)
    count = seen.double().sum(dim=-1, keepdim=True)
    for (output, weights), expected in (
        (attention_with_sink(q, k, v, sink, **options), with_sink.softmax(dim=-1)[..., :-1]),
        (sigmoid_attention(q, k, v, bias, **options), (scores + bias[:, None, None]).sigmoid()),
        (sigmoid_attention(q, k, v, **options), (scores - count.log()).sigmoid()),
    ):
        expected = expected.masked_fill(~seen, 0.0)
        close(weights, expected)
        close(output, expected @ v)


def test_a_row_without_keys_gives_zeros_and_finite_gradients():
    q, k, v = (x.requires_grad_() for x in random_inputs())
    sink = torch.randn(3, dtype=torch.float64, requires_grad=True)
    mask = torch.rand(4, 6) < 0.5
    mask[2] = False
    for output, weights in (
        attention_with_sink(q, k, v, sink, mask=mask),
        sigmoid_attention(q, k, v, sink, mask=mask),
        sigmoid_attention(q, k, v, mask=mask),
    ):
        assert (output[..., 2, :] == 0).all() and (weights[..., 2, :] == 0).all()
        for gradient in torch.autograd.grad(output.sum(), (q, k, v)):
            assert gradient.isfinite().all()


def test_gradients_of_the_logits():
    q, k, v = (x.requires_grad_() for x in random_inputs(1, 2, 3, 3))
    logit = torch.randn(2, dtype=torch.float64, requires_grad=True)
    for function in (attention_with_sink, sigmoid_attention):
        assert torch.autograd.gradcheck(
            lambda *x, function=function: function(*x, is_causal=True)[0], (q, k, v, logit)
        )


@pytest.mark.parametrize("shape", [(2, 3, 4, 1), (2, 3, 4, 7), (4, 7)])
def test_a_gate_multiplies_by_its_sigmoid(shape):
    output = torch.randn(2, 3, 4, 7, dtype=torch.float64)
    gate = torch.randn(shape, dtype=torch.float64)
    close(gated(output, gate), output / (1 + (-gate).exp()))
    assert torch.equal(gated(output, torch.zeros(shape, dtype=torch.float64)), output / 2)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_dtypes_are_kept(dtype):
    q, k, v = random_inputs(query_len=6)
    logit = torch.randn(3, dtype=torch.float64)
    for function in (attention_with_sink, sigmoid_attention):
        exact, _ = function(q, k, v, logit, is_causal=True)
        output, weights = function(
            *(x.to(dtype) for x in (q, k, v)), logit.to(dtype), is_causal=True
        )
        assert output.dtype == weights.dtype == dtype
        tolerance = 1e-5 if dtype == torch.float32 else 0.1
        torch.testing.assert_close(output.double(), exact, atol=tolerance, rtol=tolerance)
    assert gated(q.to(dtype), k[..., :1].to(dtype)).dtype == dtype


def test_a_number_for_each_head_has_the_leading_dimensions():
    q, k, v = random_inputs()
    wrong = r"must broadcast to the leading dimensions \(2, 3\), got \(1, 1, 1\)"
    for function in (attention_with_sink, sigmoid_attention):
        with pytest.raises(ValueError, match=wrong):
            function(q, k, v, torch.zeros(1, 1, 1))
