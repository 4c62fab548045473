"""Linear attention: three forms against the definition, and a state that does not grow."""

import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from comparing_modules import close, randomize_biases_and_norms
from course_lib import TransformerBlock
from course_lib.attention.delta_rule import DeltaAttention
from course_lib.attention.linear import (
    LinearAttention,
    LinearState,
    linear_attention,
    linear_attention_chunks,
    linear_attention_step,
)
from course_lib.attention.states import StateCache
from reference_attention import PROPERTY


def random_inputs(length, batch=2, heads=3, head_dim=4, value_dim=5, dtype=torch.float64):
    q, k = (torch.randn(batch, heads, length, head_dim, dtype=dtype) for _ in range(2))
    return q, k, torch.randn(batch, heads, length, value_dim, dtype=dtype)


def by_weights(q, k, v):
    """The definition: a weighted mean of the values so far."""
    q, k = (torch.where(x > 0, x + 1, x.exp()) for x in (q, k))
    products = (q @ k.mT).tril()
    weights = products / products.sum(dim=-1, keepdim=True)
    return weights @ v, weights


def step_by_step(q, k, v, state=None):
    outputs = []
    for t in range(k.shape[-2]):
        output, state = linear_attention_step(state, q[..., t, :], k[..., t, :], v[..., t, :])
        outputs.append(output)
    return torch.stack(outputs, dim=-2), state


@PROPERTY
@given(length=st.integers(1, 9), chunk_len=st.integers(1, 12), batch=st.integers(0, 2))
def test_three_forms_are_the_plain_by_weights(length, chunk_len, batch):
    q, k, v = random_inputs(length, batch=batch)
    expected, expected_weights = by_weights(q, k, v)
    output, weights = linear_attention(q, k, v)
    close(output, expected)
    close(weights, expected_weights)
    stepped, state = step_by_step(q, k, v)
    close(stepped, expected)
    chunked, chunked_state = linear_attention_chunks(q, k, v, chunk_len=chunk_len)
    close(chunked, expected)
    for stepwise, in_chunks in zip(state, chunked_state, strict=True):
        close(stepwise, in_chunks)


def test_a_step_leaves_the_old_state_alone():
    q, k, v = random_inputs(2)
    _, state = step_by_step(*(x[..., :1, :] for x in (q, k, v)))
    copy = LinearState(*(x.clone() for x in state))
    linear_attention_step(state, q[..., 1, :], k[..., 1, :], v[..., 1, :])
    assert all(torch.equal(a, b) for a, b in zip(state, copy, strict=True))


def test_a_row_that_finds_nothing_gives_zeros():
    q, k, v = random_inputs(4, heads=1)
    k[..., :2, :] = -1  # with relu nothing is left of them
    relu = {"feature_map": torch.relu}
    output, weights = linear_attention(q.abs(), k, v, **relu)
    assert (output[..., :2, :] == 0).all() and (weights[..., :2, :] == 0).all()
    chunked, _ = linear_attention_chunks(q.abs(), k, v, chunk_len=3, **relu)
    close(chunked, output)


@pytest.mark.parametrize("chunk_len", [1, 2, 5])
def test_gradients(chunk_len):
    q, k, v = (x.requires_grad_() for x in random_inputs(4, 1, 1, 2, 2))
    memory = torch.rand(1, 1, 2, 2, dtype=torch.float64, requires_grad=True)
    total = torch.rand(1, 1, 2, dtype=torch.float64, requires_grad=True)

    def chunks(q, k, v, memory, total):
        output, state = linear_attention_chunks(
            q, k, v, chunk_len=chunk_len, state=LinearState(memory, total)
        )
        return output, *state

    assert torch.autograd.gradcheck(chunks, (q, k, v, memory, total))
    assert torch.autograd.gradcheck(lambda *x: linear_attention(*x)[0], (q, k, v))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_sums_of_half_precision_are_kept_in_float32(dtype):
    q, k, v = random_inputs(6, dtype=dtype)
    output, state = linear_attention_chunks(q, k, v, chunk_len=2)
    assert output.dtype == dtype and {x.dtype for x in state} == {torch.float32}
    exact, _ = linear_attention_chunks(*(x.double() for x in (q, k, v)))
    torch.testing.assert_close(output.double(), exact, atol=0.02, rtol=0.02)
    # 5000 tokens of weight 1: a sum in half precision would have stopped long before.
    zeros, ones = torch.zeros(5000, 1, dtype=dtype), torch.ones(5000, 1, dtype=dtype)
    assert linear_attention_chunks(zeros, zeros, ones)[1].total.item() == 5000


@pytest.mark.parametrize("chunk_len", [1, 3, 64])
@pytest.mark.parametrize("key_dim", [None, 3])
def test_the_layer_is_its_projections_and_the_by_weights(chunk_len, key_dim):
    module = randomize_biases_and_norms(
        LinearAttention(8, 2, key_dim=key_dim, chunk_len=chunk_len).double()
    )
    x = torch.randn(2, 5, 8, dtype=torch.float64)
    q, k, v = (
        torch.stack((x @ p.weight.T).chunk(2, dim=-1), dim=1)
        for p in (module.q_proj, module.k_proj, module.v_proj)
    )
    heads, expected_weights = by_weights(q, k, v)
    expected = torch.cat((heads[:, 0], heads[:, 1]), dim=-1) @ module.out_proj.weight.T
    output, nothing = module(x)
    close(output, expected)
    assert nothing is None
    output, weights = module(x, need_weights=True)
    close(output, expected)
    close(weights, expected_weights)


def test_errors_name_the_argument():
    q, k, v = random_inputs(4)
    with pytest.raises(ValueError, match="chunk_len must be at least 1, got 0"):
        linear_attention_chunks(q, k, v, chunk_len=0)
    _, state = linear_attention_chunks(q, k, v)
    wrong = re.escape("state.memory must have shape (2, 3, 4, 5), got (2, 3, 5, 4)")
    with pytest.raises(ValueError, match=wrong):
        linear_attention_chunks(q, k, v, state=LinearState(state.memory.mT, state.total))
    with pytest.raises(TypeError, match="state.total must have the dtype torch.float64"):
        linear_attention_chunks(q, k, v, state=LinearState(state.memory, state.total.float()))
    with pytest.raises(ValueError, match="state.memory must be on the device cpu, got meta"):
        linear_attention_chunks(q, k, v, state=LinearState(state.memory.to("meta"), state.total))
    with pytest.raises(ValueError, match="need_weights must be False with a cache"):
        LinearAttention(8, 2)(torch.zeros(1, 3, 8), need_weights=True, cache=StateCache())


@pytest.mark.parametrize("kind, numbers", [(LinearAttention, 4 * 4 + 4), (DeltaAttention, 4 * 4)])
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


@pytest.mark.parametrize("kind", [LinearAttention, DeltaAttention])
def test_what_a_state_cannot_do_is_refused(kind):
    x = torch.zeros(1, 3, 8)
    with pytest.raises(ValueError, match="mask must be None: a state .*, got a mask"):
        kind(8, 2)(x, mask=torch.ones(3, 3, dtype=torch.bool))
    with pytest.raises(ValueError, match="is_causal must be True"):
        kind(8, 2)(x, is_causal=False)
    if kind is DeltaAttention:
        with pytest.raises(ValueError, match="need_weights must be False"):
            kind(8, 2)(x, need_weights=True)
    for options, message in (
        ({"num_heads": 3}, "num_heads must divide d_model 8, got 3"),
        ({"num_heads": 0}, "num_heads must be at least 1, got 0"),
        ({"key_dim": 0}, "key_dim must be at least 1, got 0"),
        ({"chunk_len": 0}, "chunk_len must be at least 1, got 0"),
    ):
        with pytest.raises(ValueError, match=message):
            kind(**({"d_model": 8, "num_heads": 2} | options))
