"""The delta rule: three forms against plain loops, what it promises, and a state of fixed size."""

import re

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from comparing_modules import close, randomize_biases_and_norms
from course_lib.attention.delta_rule import (
    DeltaAttention,
    delta_rule,
    delta_rule_chunks,
    delta_rule_step,
)
from reference_attention import PROPERTY


def random_inputs(length, batch=2, heads=3, key_dim=4, value_dim=5, dtype=torch.float64):
    q, k = (torch.randn(batch, heads, length, key_dim, dtype=dtype) for _ in range(2))
    v = torch.randn(batch, heads, length, value_dim, dtype=dtype)
    beta, decay = (torch.rand(batch, heads, length, dtype=dtype) for _ in range(2))
    return q, F.normalize(k, dim=-1), v, beta, decay


def loops(q, k, v, beta, decay=None):
    """The rule, token by token: what a key finds is exchanged for its value."""
    decay = torch.ones_like(beta) if decay is None else decay
    state, output = k.new_zeros(*k.shape[:2], k.shape[-1], v.shape[-1]), torch.zeros_like(v)
    for t in range(k.shape[2]):
        key = k[:, :, t, :, None]
        state = state * decay[:, :, t, None, None]
        change = beta[:, :, t, None] * (v[:, :, t] - (key * state).sum(dim=-2))
        state = state + key * change[..., None, :]
        output[:, :, t] = (q[:, :, t, :, None] * state).sum(dim=-2)
    return output, state


def step_by_step(q, k, v, beta, decay=None, state=None):
    outputs = []
    for t in range(k.shape[-2]):
        now = *(x[..., t, :] for x in (q, k, v)), beta[..., t]
        output, state = delta_rule_step(state, *now, None if decay is None else decay[..., t])
        outputs.append(output)
    return torch.stack(outputs, dim=-2), state


@PROPERTY
@given(
    length=st.integers(1, 9),
    chunk_len=st.integers(1, 12),
    with_decay=st.booleans(),
    batch=st.integers(0, 2),
)
def test_three_forms_are_the_plain_loops(length, chunk_len, with_decay, batch):
    q, k, v, beta, decay = random_inputs(length, batch=batch)
    inputs = (q, k, v, beta, decay if with_decay else None)
    expected, expected_state = loops(*inputs)
    for output, state in (
        delta_rule(*inputs),
        step_by_step(*inputs),
        delta_rule_chunks(*inputs, chunk_len=chunk_len),
    ):
        close(output, expected, atol=1e-11)
        close(state, expected_state, atol=1e-11)


@PROPERTY
@given(parts=st.lists(st.integers(0, 4), min_size=1, max_size=4))
def test_a_text_may_come_in_any_parts(parts):
    inputs = random_inputs(sum(parts))
    expected, last = delta_rule(*inputs)
    for form, options in ((delta_rule, {}), (delta_rule_chunks, {"chunk_len": 3})):
        state, outputs, start = None, [], 0
        for part in parts:
            now = [x[:, :, start : start + part] for x in inputs]
            output, state = form(*now, state=state, **options)
            outputs.append(output)
            start += part
        close(torch.cat(outputs, dim=-2), expected, atol=1e-11)
        close(state, last, atol=1e-11)


def test_a_decay_of_zero_forgets_everything_in_both_forms():
    q, k, v, beta, decay = random_inputs(7)
    decay[..., 3] = 0
    decay.requires_grad_()
    expected, last = delta_rule(q[..., 3:, :], k[..., 3:, :], v[..., 3:, :], beta[..., 3:], None)
    ones = torch.where(torch.arange(7) == 3, 0.0, 1.0).double().expand_as(decay)
    for form in (delta_rule, delta_rule_chunks):
        output, state = form(q, k, v, beta, ones)
        close(output[..., 3:, :], expected, atol=1e-11)
        close(state, last, atol=1e-11)
        output, _ = form(q, k, v, beta, decay)
        (gradient,) = torch.autograd.grad(output.sum(), decay)
        assert gradient.isfinite().all()


def test_a_decay_too_small_for_a_number_leaves_no_nan():
    q, k, v, beta, decay = random_inputs(200, dtype=torch.float32)
    decay = torch.full_like(decay, 1e-3)
    expected, _ = delta_rule(q, k, v, beta, decay)
    output, _ = delta_rule_chunks(q, k, v, beta, decay, chunk_len=200)
    torch.testing.assert_close(output, expected, atol=1e-5, rtol=1e-5)


def test_a_step_leaves_the_old_state_alone():
    q, k, v, beta, decay = random_inputs(2)
    state = torch.randn(2, 3, 4, 5, dtype=torch.float64)
    copy = state.clone()
    step_by_step(q, k, v, beta, decay, state=state)
    delta_rule_chunks(q, k, v, beta, decay, state=state)
    assert torch.equal(state, copy)


@pytest.mark.parametrize("chunk_len", [1, 2, 5])
def test_gradients(chunk_len):
    q, k, v, beta, decay = (x.requires_grad_() for x in random_inputs(4, 1, 1, 2, 2))
    state = torch.randn(1, 1, 2, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(
        lambda *x: delta_rule_chunks(*x[:5], chunk_len=chunk_len, state=x[5]),
        (q, k, v, beta, decay, state),
    )


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_the_state_of_half_precision_is_kept_in_float32(dtype):
    inputs = random_inputs(6, dtype=dtype)
    exact, _ = delta_rule(*(x.double() for x in inputs))
    for form in (delta_rule, delta_rule_chunks):
        output, state = form(*inputs)
        assert output.dtype == dtype and state.dtype == torch.float32
        torch.testing.assert_close(output.double(), exact, atol=0.05, rtol=0.05)


@pytest.mark.parametrize("decay", [False, True])
@pytest.mark.parametrize("key_dim", [None, 3])
def test_the_layer_is_its_projections_and_the_loops(decay, key_dim):
    module = randomize_biases_and_norms(
        DeltaAttention(8, 2, key_dim=key_dim, decay=decay, chunk_len=3).double()
    )
    x = torch.randn(2, 5, 8, dtype=torch.float64)
    q, k, v = (
        torch.stack((x @ p.weight.T).chunk(2, dim=-1), dim=1)
        for p in (module.q_proj, module.k_proj, module.v_proj)
    )
    q, k = (y / (1 + (-y).exp()) for y in (q, k))
    q, k = (y / y.square().sum(dim=-1, keepdim=True).sqrt() for y in (q, k))
    rates = [module.beta_proj, module.decay_proj] if decay else [module.beta_proj]
    rates = [(1 / (1 + (-(x @ p.weight.T + p.bias)).exp())).transpose(1, 2) for p in rates]
    with torch.no_grad():
        heads, _ = loops(q, k, v, *(rate.detach() for rate in rates))
    mean_square = heads.square().mean(dim=-1, keepdim=True)
    heads = heads / (mean_square + 1e-6).sqrt() * module.head_norm.weight
    expected = torch.cat((heads[:, 0], heads[:, 1]), dim=-1) @ module.out_proj.weight.T
    output, nothing = module(x)
    close(output, expected, atol=1e-10)
    assert nothing is None


def test_errors_name_the_argument():
    q, k, v, beta, decay = random_inputs(4)
    wrong = re.escape("state must have shape (2, 3, 4, 5), got (4, 5)")
    with pytest.raises(ValueError, match=wrong):
        delta_rule(q, k, v, beta, state=torch.zeros(4, 5, dtype=torch.float64))
    with pytest.raises(TypeError, match="state must have the dtype torch.float64"):
        delta_rule_chunks(q, k, v, beta, state=torch.zeros(2, 3, 4, 5))
    with pytest.raises(ValueError, match="chunk_len must be at least 1, got 0"):
        delta_rule_chunks(q, k, v, beta, chunk_len=0)
