"""How far windows reach, measured by gradients; and a cache that does not grow, against a mask."""

import math
import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from comparing_modules import close
from course_lib import (
    MultiHeadAttention,
    RotaryEmbedding,
    TransformerBlock,
    WindowCache,
    window_mask,
)
from course_lib.attention.windows import reach
from reference_attention import PROPERTY


@pytest.mark.parametrize(
    "windows", [[3], [3, 3], [2, 4, 1], [1, 1], [5, 5, 5], [2, None], [None, 3, 2]]
)
def test_reach_is_what_gradients_measure(windows):
    length = 18
    blocks = [TransformerBlock(8, 2, 16, dtype=torch.float64) for _ in windows]
    x = torch.randn(1, length, 8, dtype=torch.float64, requires_grad=True)
    out = x
    for block, window in zip(blocks, windows, strict=True):
        window = length if window is None else window
        out = block(out, mask=window_mask(length, window=window))[0]
    (moved,) = torch.autograd.grad(out[0, -1].square().sum(), x)
    felt = moved[0].abs().amax(dim=-1).flip(0)  # by distance from the last position
    far = min(reach(windows), length - 1)
    assert (felt[: far + 1] > 1e-12).all()
    assert (felt[far + 1 :] == 0).all()


def test_reach_in_numbers():
    assert reach([]) == 0
    assert reach([4, None, 4]) == math.inf


def test_reach_names_the_layer_that_is_no_window():
    with pytest.raises(ValueError, match=re.escape("windows[1] must be at least 1, got 0")):
        reach([3, 0])
    with pytest.raises(TypeError, match=re.escape("windows[2] must be an integer, got 2.5")):
        reach([3, None, 2.5])


def cache_for(module, batch, window, **options):
    options = {"dtype": module.q_proj.weight.dtype} | options
    return WindowCache(batch, module.num_kv_heads, window, module.head_dim, **options)


@PROPERTY
@given(
    length=st.integers(1, 12),
    window=st.integers(1, 6),
    sinks=st.integers(0, 4),
    heads=st.sampled_from([(1, 1), (4, 2), (4, 4)]),
    rotary=st.booleans(),
    need_weights=st.booleans(),
    batch=st.integers(0, 2),
)
def test_step_by_step_it_is_the_window_mask(
    length, window, sinks, heads, rotary, need_weights, batch
):
    module = MultiHeadAttention(
        heads[0] * 4,
        heads[0],
        num_kv_heads=heads[1],
        rotary=RotaryEmbedding(4) if rotary else None,
        dtype=torch.float64,
    )
    x = torch.randn(batch, length, module.d_model, dtype=torch.float64)
    with torch.no_grad():
        expected, _ = module(x, mask=window_mask(length, window=window, sinks=sinks))
        cache = cache_for(module, batch, window, sinks=sinks)
        steps = []
        for t in range(length):
            output, weights = module(
                x[:, [t]], is_causal=True, need_weights=need_weights, cache=cache
            )
            steps.append(output)
            if need_weights:
                assert weights.shape[-1] <= sinks + window
        close(torch.cat(steps, dim=1), expected)
    assert cache.length == length


def test_it_keeps_the_first_and_the_last_and_never_grows():
    cache = WindowCache(1, 1, 3, 1, sinks=2)
    before = cache.nbytes
    assert before == 2 * (2 + 3) * 4
    for t in range(50):
        token = torch.full((1, 1, 1, 1), float(t))
        keys, values = cache.append(token, -token)
        kept = sorted({0, 1, t - 2, t - 1, t} & set(range(t + 1)))
        assert sorted(keys.flatten().tolist()) == kept
        assert torch.equal(values, -keys)
        assert cache.nbytes == before
        assert keys.untyped_storage().nbytes() == before  # nothing else is held
