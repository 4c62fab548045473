"""Sinks, sigmoids and gates against an extra key, plain loops and properties."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from comparing_modules import close
from course_lib import causal_mask, scaled_dot_product_attention
from course_lib.attention.sinks import attention_with_sink, gated, sigmoid_attention
from reference_attention import PROPERTY


def random_inputs(batch=2, heads=3, query_len=4, key_len=6, dtype=torch.float64):
    q = torch.randn(batch, heads, query_len, 5, dtype=dtype)
    k = torch.randn(batch, heads, key_len, 5, dtype=dtype)
    v = torch.randn(batch, heads, key_len, 7, dtype=dtype)
    return q, k, v


def loops(q, k, v, weigh, mask, is_causal, scale=None):
    """One query at a time: ``weigh(head, scores)`` gives the weights of the keys that it sees."""
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    output = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            for i in range(q.shape[2]):
                last = i + k.shape[2] - q.shape[2] if is_causal else k.shape[2]
                seen = [
                    j
                    for j in range(k.shape[2])
                    if j <= last
                    and (mask is None or bool(mask.expand(*q.shape[:3], -1)[b, h, i, j]))
                ]
                scores = [float(q[b, h, i] @ k[b, h, j]) * scale for j in seen]
                for j, weight in zip(seen, weigh(h, scores), strict=True):
                    output[b, h, i] += weight * v[b, h, j]
    return output


@PROPERTY
@given(
    lengths=st.tuples(st.integers(0, 6), st.integers(0, 6)),
    is_causal=st.booleans(),
    masked=st.booleans(),
    scale=st.sampled_from([None, 0.3, 2]),
)
def test_both_are_their_plain_loops(lengths, is_causal, masked, scale):
    q, k, v = random_inputs(query_len=lengths[0], key_len=lengths[1])
    mask = torch.rand(2, 1, *lengths) < 0.6 if masked else None
    options = {"mask": mask, "is_causal": is_causal, "scale": scale}
    sink, bias = torch.randn(3, dtype=torch.float64), torch.randn(3, dtype=torch.float64)

    def with_sink(head, scores):
        share = math.exp(sink[head]) + sum(map(math.exp, scores))
        return [math.exp(s) / share for s in scores]

    close(attention_with_sink(q, k, v, sink, **options)[0], loops(q, k, v, with_sink, **options))
    close(
        sigmoid_attention(q, k, v, bias, **options)[0],
        loops(q, k, v, lambda h, ss: [1 / (1 + math.exp(-s - bias[h])) for s in ss], **options),
    )
    close(
        sigmoid_attention(q, k, v, **options)[0],
        loops(q, k, v, lambda h, ss: [1 / (1 + len(ss) * math.exp(-s)) for s in ss], **options),
    )


def test_a_sink_is_an_extra_key_with_a_value_of_zeros():
    q, k, v = random_inputs(query_len=6)
    sink = torch.randn(3, dtype=torch.float64)
    for mask in (None, causal_mask(6), torch.zeros(6, 6, dtype=torch.bool)):
        output, weights = attention_with_sink(q, k, v, sink, mask=mask)
        # One more feature, 1 in each query, carries the sink's score to one more key.
        q_more = torch.cat((q, torch.ones_like(q[..., :1])), dim=-1)
        k_more = torch.cat((k, torch.zeros_like(k[..., :1])), dim=-1)
        extra = torch.zeros(2, 3, 1, 6, dtype=torch.float64)
        extra[..., -1] = (sink * 5**0.5)[:, None]
        k_more = torch.cat((extra, k_more), dim=-2)
        v_more = torch.cat((torch.zeros(2, 3, 1, 7, dtype=torch.float64), v), dim=-2)
        seen = torch.ones(6, 7, dtype=torch.bool)
        if mask is not None:
            seen[:, 1:] = mask
        expected, expected_weights = scaled_dot_product_attention(
            q_more, k_more, v_more, mask=seen, scale=5**-0.5
        )
        close(output, expected)
        close(weights, expected_weights[..., 1:])
        close(1 - weights.sum(dim=-1), expected_weights[..., 0])


def test_a_sink_far_below_is_plain_attention_and_one_far_above_closes_the_head():
    q, k, v = random_inputs(query_len=6)
    plain, plain_weights = scaled_dot_product_attention(q, k, v, is_causal=True)
    low, low_weights = attention_with_sink(
        q, k, v, torch.full((3,), -1e4, dtype=torch.float64), is_causal=True
    )
    close(low, plain)
    close(low_weights, plain_weights)
    high, _ = attention_with_sink(q, k, v, torch.tensor(1e4, dtype=torch.float64))
    assert (high == 0).all()


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


@pytest.mark.parametrize("bias", [None, torch.tensor(-1.0, dtype=torch.float64)])
def test_a_later_token_moves_no_earlier_output(bias):
    q, k, v = random_inputs(query_len=6)
    sink = torch.randn(3, dtype=torch.float64)
    for function, extra in ((attention_with_sink, sink), (sigmoid_attention, bias)):
        before, _ = function(q, k, v, extra, is_causal=True)
        changed = [x.clone() for x in (q, k, v)]
        for x in changed:
            x[..., 4:, :] += 1
        after, _ = function(*changed, extra, is_causal=True)
        assert torch.equal(before[..., :4, :], after[..., :4, :])
        shorter, _ = function(*(x[..., :4, :] for x in (q, k, v)), extra, is_causal=True)
        close(shorter, before[..., :4, :])


def test_equal_scores_of_zero_give_sigmoids_that_add_up_to_almost_one():
    v = torch.randn(1, 1, 50, 2, dtype=torch.float64)
    zero = torch.zeros(1, 1, 50, 3, dtype=torch.float64)
    _, weights = sigmoid_attention(zero, zero, v, is_causal=True)
    rows = torch.arange(1.0, 51, dtype=torch.float64)
    close(weights.sum(dim=-1)[0, 0], rows / (rows + 1))


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


def test_errors_name_the_argument():
    q, k, v = random_inputs()
    with pytest.raises(ValueError, match=r"sink_logit must broadcast .*\(2, 3\), got \(4,\)"):
        attention_with_sink(q, k, v, torch.zeros(4))
    with pytest.raises(ValueError, match=r"sink_logit must broadcast .*\(2, 3\), got \(1, 1, 1\)"):
        attention_with_sink(q, k, v, torch.zeros(1, 1, 1))
    with pytest.raises(TypeError, match="sink_logit must be a torch.Tensor, got float"):
        attention_with_sink(q, k, v, 0.0)
    with pytest.raises(ValueError, match="sink_logit must be on query's device cpu, got meta"):
        attention_with_sink(q, k, v, torch.zeros(3, device="meta"))
    with pytest.raises(ValueError, match=r"bias must broadcast .*\(2, 3\), got \(2,\)"):
        sigmoid_attention(q, k, v, torch.zeros(2))
    with pytest.raises(TypeError, match="mask must be boolean"):
        sigmoid_attention(q, k, v, mask=torch.ones(4, 6))
    with pytest.raises(ValueError, match="value must have key's length 6, got 5"):
        attention_with_sink(q, k, v[..., 1:, :], torch.zeros(3))
    with pytest.raises(ValueError, match=r"gate must broadcast to output's shape .*got \(5,\)"):
        gated(q[..., :3], torch.zeros(5))
    with pytest.raises(TypeError, match="gate must have a floating dtype, got torch.int64"):
        gated(q, torch.zeros(1, dtype=torch.long))
