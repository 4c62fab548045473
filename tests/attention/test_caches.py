"""A cache changes the cost of generation and nothing else; how far windows reach."""

import math
import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from comparing_modules import close
from course_lib import KVCache, LatentCache, MultiHeadAttention, RotaryEmbedding, window_mask
from course_lib.attention.windows import WindowCache, reach
from course_lib.model.block import TransformerBlock
from reference_attention import PROPERTY
from refusals import refuses


def test_cross_attention_through_a_cache_sees_all_keys_given_so_far():
    module = MultiHeadAttention(16, 4, dtype=torch.float64)
    query, key = (torch.randn(2, n, 16, dtype=torch.float64) for n in (3, 7))
    cache = module.make_cache(2, 7)
    with torch.no_grad():
        module(query, key[:, :4], cache=cache)
        output, _ = module(query, key[:, 4:], cache=cache)
        torch.testing.assert_close(output, module(query, key)[0])
        again, _ = module(query, key[:, :0], cache=cache)  # no new key: what it holds is seen
        torch.testing.assert_close(again, output)


@pytest.mark.parametrize(
    "cache, rows",
    [
        (KVCache(2, 3, 5, 4), torch.randn(2, 2, 3, 6, 4)),  # keys and values
        (LatentCache(2, 5, 4), torch.randn(1, 2, 6, 4)),
    ],
)
def test_append_fills_its_buffers_in_place_up_to_the_last_row(cache, rows):
    def append(first, last):
        held = cache.append(*rows[..., first:last, :])
        return held if isinstance(held, tuple) else (held,)

    places = [held.data_ptr() for held in append(0, 2)]
    refuses(ValueError, "at most max_len=5 tokens, got 4 more after 2", append, 2, 6)
    assert cache.length == 2
    for first, last in ((2, 4), (4, 5)):
        for held, place, expected in zip(append(first, last), places, rows, strict=True):
            assert torch.equal(held, expected[..., :last, :]) and held.data_ptr() == place


GOOD, LATENTS = torch.zeros(2, 3, 1, 4), torch.zeros(2, 1, 4)
SIZES = "(batch_size=2, num_kv_heads=3, new_len, head_dim=4)"
GRADIENT = "value needs a gradient, which a cache cannot carry: use torch.no_grad()"
KEYS_AND_VALUES = [
    (TypeError, "key must be a torch.Tensor, got list", ([1.0], GOOD)),
    (ValueError, f"key must have shape {SIZES}, got (2, 1, 1, 4)", (GOOD[:, :1], GOOD)),
    (ValueError, "got (3, 1, 4)", (GOOD[0], GOOD)),
    (ValueError, "value must have shape", (GOOD, GOOD.expand(2, 3, 2, 4))),
    (TypeError, "value must have the cache's dtype torch.float32, got", (GOOD, GOOD.half())),
    (ValueError, "key must be on the cache's device cpu, got meta", (GOOD.to("meta"), GOOD)),
    (RuntimeError, GRADIENT, (GOOD, GOOD.clone().requires_grad_())),
]
TWO, CACHES = GOOD.expand(2, 3, 2, 4), (KVCache, WindowCache)
REFUSED = [(cache(2, 3, 5, 4), *refused) for cache in CACHES for refused in KEYS_AND_VALUES]
REFUSED += [
    (WindowCache(2, 3, 5, 4), ValueError, "key must hold one token, ", (TWO, TWO)),
    (LatentCache(2, 5, 4), ValueError, "rows must have shape (batch_size=2, new_len", (GOOD,)),
    (LatentCache(2, 5, 4), TypeError, "rows must have the cache's dtype", (LATENTS.half(),)),
    (LatentCache(2, 5, 4), TypeError, "rows must be a torch.Tensor, got list", ([1.0],)),
]


@pytest.mark.parametrize("cache, error, message, rows", REFUSED)
def test_bad_appends_are_refused(cache, error, message, rows):
    refuses(error, re.escape(message), cache.append, *rows)
    assert cache.length == 0


@pytest.mark.parametrize(
    "cache, sizes",
    [
        (KVCache, {"batch_size": 1, "num_kv_heads": 1, "max_len": 5, "head_dim": 4}),
        (WindowCache, {"batch_size": 1, "num_kv_heads": 1, "window": 5, "head_dim": 4, "sinks": 0}),
        (LatentCache, {"batch_size": 1, "max_len": 5, "features": 4}),
    ],
)
def test_bad_sizes_are_refused(cache, sizes):
    for name in sizes:
        least = 0 if name in ("batch_size", "sinks") else 1
        cache(**sizes | {name: least})
        with pytest.raises(ValueError, match=f"{name} must be .*, got {least - 1}"):
            cache(**sizes | {name: least - 1})
        refuses(TypeError, f"{name} must be an integer, got 2.0", cache, **sizes | {name: 2.0})


# --- windows -------------------------------------------------------------------------------------


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
    refuses(ValueError, re.escape("windows[1] must be at least 1, got 0"), reach, [3, 0])
    refuses(TypeError, re.escape("windows[2] must be an integer, got 2.5"), reach, [3, None, 2.5])


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
        for t in range(length):  # the mask is for all keys, however many are kept
            how = {"mask": torch.ones(1, 1, 1, 1) > 0} if t % 2 else {"is_causal": True}
            output, weights = module(x[:, [t]], need_weights=need_weights, cache=cache, **how)
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
        assert torch.equal(keys.flatten(), cache.positions().float())
        assert torch.equal(values, -keys)
        assert cache.nbytes == before
        assert keys.untyped_storage().nbytes() == before  # nothing else is held
