"""Linear attention and the delta rule: all forms against the definition, and states of one size."""

import re

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from comparing_modules import close, randomize_biases_and_norms
from course_lib import TransformerBlock
from course_lib.attention import linear
from course_lib.attention.delta_rule import (
    DeltaAttention,
    delta_rule,
    delta_rule_chunks,
    delta_rule_step,
)
from course_lib.attention.states import StateCache
from reference_attention import PROPERTY
from refusals import refuses


def random_inputs(kind, length, batch=2, heads=3, key_dim=4, value_dim=5, dtype=torch.float64):
    """Query, key and value; for the delta rule beta too, and with a decay that."""
    q, k = (torch.randn(batch, heads, length, key_dim, dtype=dtype) for _ in range(2))
    v = torch.randn(batch, heads, length, value_dim, dtype=dtype)
    beta, decay = (torch.rand(batch, heads, length, dtype=dtype) for _ in range(2))
    return (q, F.normalize(k, dim=-1), v, beta, decay)[: INPUTS[kind]]


def by_weights(q, k, v):
    """A weighted mean of the values so far; the state is two sums, and the weights come third."""
    q, k = (torch.where(x > 0, x + 1, x.exp()) for x in (q, k))
    products = (q @ k.mT).tril()
    weights = products / products.sum(dim=-1, keepdim=True)
    return weights @ v, linear.LinearState(k.mT @ v, k.sum(dim=-2)), weights


def token_by_token(q, k, v, beta, decay=None):
    """What a key finds is exchanged for its value."""
    decay = torch.ones_like(beta) if decay is None else decay
    state, output = k.new_zeros(*k.shape[:2], k.shape[-1], v.shape[-1]), torch.zeros_like(v)
    for t in range(k.shape[2]):
        key = k[:, :, t, :, None]
        state = state * decay[:, :, t, None, None]
        change = beta[:, :, t, None] * (v[:, :, t] - (key * state).sum(dim=-2))
        state = state + key * change[..., None, :]
        output[:, :, t] = (q[:, :, t, :, None] * state).sum(dim=-2)
    return output, state


def step_by_step(step):
    def form(*inputs, state=None):
        outputs = []
        for t in range(inputs[0].shape[2]):
            output, state = step(state, *(x[:, :, t] for x in inputs))
            outputs.append(output)
        return torch.stack(outputs, dim=2), state

    return form


INPUTS = {"linear": 3, "delta": 4, "delta with decay": 5}
LINEAR = (linear.linear_attention_chunks, step_by_step(linear.linear_attention_step))
DELTA = (delta_rule_chunks, step_by_step(delta_rule_step), delta_rule)
FORMS = {"linear": LINEAR, "delta": DELTA, "delta with decay": DELTA}  # chunks come first
EVERY_KIND = pytest.mark.parametrize("kind", INPUTS)


def parts_of(state):
    return state if isinstance(state, linear.LinearState) else (state,)


def same(found, expected, atol=1e-11):
    """Outputs and states."""
    close(found[0], expected[0], atol)
    for one, other in zip(parts_of(found[1]), parts_of(expected[1]), strict=True):
        close(one, other, atol)


@EVERY_KIND
@PROPERTY
@given(length=st.integers(1, 9), chunk_len=st.integers(1, 12), batch=st.integers(0, 2))
def test_all_forms_are_the_definition(kind, length, chunk_len, batch):
    inputs = random_inputs(kind, length, batch=batch)
    expected = (by_weights if kind == "linear" else token_by_token)(*inputs)
    same(FORMS[kind][0](*inputs, chunk_len=chunk_len), expected)
    for form in FORMS[kind]:
        same(form(*inputs), expected)
    if kind == "linear":
        output, weights = linear.linear_attention(*inputs)
        close(output, expected[0])
        close(weights, expected[2])


@EVERY_KIND
@PROPERTY
@given(parts=st.lists(st.integers(0, 4), min_size=1, max_size=4))
def test_a_text_may_come_in_any_parts_and_a_state_is_left_alone(kind, parts):
    inputs = random_inputs(kind, sum(parts))
    for form in FORMS[kind]:
        state, outputs, start = None, [], 0
        for part in parts:
            now = [x[:, :, start : start + part] for x in inputs]
            if part == 0 and form is FORMS[kind][1]:
                continue  # there is no step to do
            before = () if state is None else [x.clone() for x in parts_of(state)]
            output, new = form(*now, state=state)
            assert all(map(torch.equal, before, () if state is None else parts_of(state)))
            outputs, start, state = [*outputs, output], start + part, new
        if start:
            same((torch.cat(outputs, dim=-2), state), FORMS[kind][0](*inputs, chunk_len=3))


@EVERY_KIND
@pytest.mark.parametrize("chunk_len", [1, 2, 5])
def test_gradients(kind, chunk_len):
    inputs = random_inputs(kind, 4, 1, 1, 2, 2)
    state = [torch.rand(1, 1, 2, 2, dtype=torch.float64)]
    state += [torch.rand(1, 1, 2, dtype=torch.float64)] if kind == "linear" else []

    def chunks(*given):
        inputs, state = given[: INPUTS[kind]], given[INPUTS[kind] :]
        state = linear.LinearState(*state) if kind == "linear" else state[0]
        output, state = FORMS[kind][0](*inputs, chunk_len=chunk_len, state=state)
        return output, *parts_of(state)

    given = [x.requires_grad_() for x in (*inputs, *state)]
    assert torch.autograd.gradcheck(chunks, given)
    if kind == "linear":
        assert torch.autograd.gradcheck(lambda *x: linear.linear_attention(*x)[0], given[:3])


@EVERY_KIND
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_the_state_of_half_precision_is_kept_in_float32(kind, dtype):
    inputs = random_inputs(kind, 6, dtype=dtype)
    for form in FORMS[kind]:
        exact, _ = form(*(x.double() for x in inputs))
        output, state = form(*inputs)
        assert output.dtype == dtype and {x.dtype for x in parts_of(state)} == {torch.float32}
        torch.testing.assert_close(output.double(), exact, atol=0.05, rtol=0.05)
    # 5000 tokens of weight 1: a sum in half precision would have stopped long before.
    zeros, ones = torch.zeros(5000, 1, dtype=dtype), torch.ones(5000, 1, dtype=dtype)
    assert linear.linear_attention_chunks(zeros, zeros, ones)[1].total.item() == 5000


def test_a_row_that_finds_nothing_gives_zeros():
    q, k, v = random_inputs("linear", 4, heads=1)
    k[..., :2, :] = -1  # with relu nothing is left of them
    relu = {"feature_map": torch.relu}
    output, weights = linear.linear_attention(q.abs(), k, v, **relu)
    assert (output[..., :2, :] == 0).all() and (weights[..., :2, :] == 0).all()
    chunked, _ = linear.linear_attention_chunks(q.abs(), k, v, chunk_len=3, **relu)
    close(chunked, output)


def test_a_decay_of_zero_forgets_everything_in_both_forms():
    q, k, v, beta, decay = random_inputs("delta with decay", 7)
    decay[..., 3] = 0
    decay.requires_grad_()
    expected, last = delta_rule(q[..., 3:, :], k[..., 3:, :], v[..., 3:, :], beta[..., 3:], None)
    ones = torch.where(torch.arange(7) == 3, 0.0, 1.0).double().expand_as(decay)
    for form in (delta_rule, delta_rule_chunks):
        output, state = form(q, k, v, beta, ones)
        same((output[..., 3:, :], state), (expected, last))
        output, _ = form(q, k, v, beta, decay)
        (gradient,) = torch.autograd.grad(output.sum(), decay)
        assert gradient.isfinite().all()


def test_a_decay_too_small_for_a_number_leaves_no_nan():
    q, k, v, beta, decay = random_inputs("delta with decay", 200, dtype=torch.float32)
    decay = torch.full_like(decay, 1e-3)
    expected, _ = delta_rule(q, k, v, beta, decay)
    output, _ = delta_rule_chunks(q, k, v, beta, decay, chunk_len=200)
    torch.testing.assert_close(output, expected, atol=1e-5, rtol=1e-5)


# --- the layers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("key_dim", [None, 3])
@pytest.mark.parametrize("options", [{}, {"decay": True}, {"decay": False}], ids=str)
@torch.no_grad()
def test_a_layer_is_its_projections_and_the_definition(key_dim, options):
    make = DeltaAttention if options else linear.LinearAttention
    module = make(8, 2, key_dim=key_dim, chunk_len=3, **options).double()
    randomize_biases_and_norms(module)
    x = torch.randn(2, 5, 8, dtype=torch.float64)
    q, k, v = (
        torch.stack((x @ p.weight.T).chunk(2, dim=-1), dim=1)
        for p in (module.q_proj, module.k_proj, module.v_proj)
    )
    if options:
        q, k = (y / (1 + (-y).exp()) for y in (q, k))
        q, k = (y / y.square().sum(dim=-1, keepdim=True).sqrt() for y in (q, k))
        rates = [module.beta_proj, *([module.decay_proj] if options["decay"] else [])]
        rates = [(1 / (1 + (-(x @ p.weight.T + p.bias)).exp())).transpose(1, 2) for p in rates]
        heads, _ = token_by_token(q, k, v, *rates)
        mean_square = heads.square().mean(dim=-1, keepdim=True)
        heads = heads / (mean_square + 1e-6).sqrt() * module.head_norm.weight
    else:
        heads, _, expected_weights = by_weights(q, k, v)
        close(module(x, need_weights=True)[1], expected_weights)
    expected = torch.cat((heads[:, 0], heads[:, 1]), dim=-1) @ module.out_proj.weight.T
    output, nothing = module(x)
    close(output, expected, atol=1e-10)
    assert nothing is None


@pytest.mark.parametrize(
    "kind, numbers", [(linear.LinearAttention, 4 * 4 + 4), (DeltaAttention, 4 * 4)]
)
def test_a_layer_in_a_block_keeps_a_state_that_does_not_grow(kind, numbers):
    block = TransformerBlock(8, 2, 16, dtype=torch.float64)
    block.attention = kind(8, 2, dtype=torch.float64)
    x = torch.randn(2, 9, 8, dtype=torch.float64)
    expected, _, _ = block(x, is_causal=True)
    cache, outputs, sizes = StateCache(), [], [StateCache().nbytes]
    for part in x.split([4, 1, 1, 3], dim=1):
        outputs.append(block(part, is_causal=True, cache=cache)[0])
        sizes.append(cache.nbytes)
    close(torch.cat(outputs, dim=1), expected, atol=1e-10)
    assert cache.length == 9 and sizes == [0] + [2 * 2 * numbers * 8] * 4


# --- errors --------------------------------------------------------------------------------------


@EVERY_KIND
def test_a_state_that_does_not_fit_is_refused(kind):
    inputs, (chunks, *_) = random_inputs(kind, 4), FORMS[kind]
    memory = torch.zeros(2, 3, 4, 5, dtype=torch.float64)
    for change, error, message in (
        (lambda x: x.mT, ValueError, "must have shape (2, 3, 4, 5), got (2, 3, 5, 4)"),
        (lambda x: x.float(), TypeError, "must have the dtype torch.float64"),
        (lambda x: x.to("meta"), ValueError, "must be on the device cpu, got meta"),
    ):
        name, state = "state", change(memory)
        if kind == "linear":
            name, state = "state.memory", linear.LinearState(state, memory[..., 0])
        refuses(error, re.escape(f"{name} {message}"), chunks, *inputs, state=state)
    if kind == "linear":
        with pytest.raises(TypeError, match="state.total must have the dtype torch.float64"):
            chunks(*inputs, state=linear.LinearState(memory, memory[..., 0].float()))
    refuses(ValueError, "chunk_len must be at least 1, got 0", chunks, *inputs, chunk_len=0)


@pytest.mark.parametrize("kind", [linear.LinearAttention, DeltaAttention])
def test_what_a_state_cannot_do_is_refused(kind):
    x = torch.zeros(1, 3, 8)
    with pytest.raises(ValueError, match="mask must be None: a state .*, got a mask"):
        kind(8, 2)(x, mask=torch.ones(3, 3, dtype=torch.bool))
    refuses(ValueError, "is_causal must be True", kind(8, 2), x, is_causal=False)
    cache = {} if kind is DeltaAttention else {"cache": StateCache()}
    refuses(ValueError, "need_weights must be False", kind(8, 2), x, need_weights=True, **cache)
    for options, message in (
        ({"num_heads": 3}, "num_heads must divide d_model 8, got 3"),
        ({"num_heads": 0}, "num_heads must be at least 1, got 0"),
        ({"key_dim": 0}, "key_dim must be at least 1, got 0"),
        ({"chunk_len": 0}, "chunk_len must be at least 1, got 0"),
    ):
        refuses(ValueError, message, kind, **{"d_model": 8, "num_heads": 2} | options)
