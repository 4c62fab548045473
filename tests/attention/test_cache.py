"""A cache changes the cost of generation and nothing else, whatever it keeps of a token."""

import re

import pytest
import torch

from course_lib import KVCache, LatentCache, MultiHeadAttention, WindowCache


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
    with pytest.raises(ValueError, match="at most max_len=5 tokens, got 4 more after 2"):
        append(2, 6)
    assert cache.length == 2
    for first, last in ((2, 4), (4, 5)):
        for held, place, expected in zip(append(first, last), places, rows, strict=True):
            assert torch.equal(held, expected[..., :last, :]) and held.data_ptr() == place


GOOD, LATENTS = torch.zeros(2, 3, 1, 4), torch.zeros(2, 1, 4)
SIZES = "(batch_size=2, num_kv_heads=3, new_len, head_dim=4)"
KEYS_AND_VALUES = [
    (ValueError, f"key must have shape {SIZES}, got (2, 1, 1, 4)", (GOOD[:, :1], GOOD)),
    (ValueError, "got (3, 1, 4)", (GOOD[0], GOOD)),
    (ValueError, "value must have shape", (GOOD, GOOD.expand(2, 3, 2, 4))),
    (TypeError, "value must have the cache's dtype torch.float32, got", (GOOD, GOOD.half())),
    (ValueError, "key must be on the cache's device cpu, got meta", (GOOD.to("meta"), GOOD)),
    (
        RuntimeError,
        "value needs a gradient, which a cache cannot carry: use torch.no_grad()",
        (GOOD, GOOD.clone().requires_grad_()),
    ),
]
REFUSED = [(KVCache(2, 3, 5, 4), *refused) for refused in KEYS_AND_VALUES]
REFUSED += [(WindowCache(2, 3, 5, 4), *refused) for refused in KEYS_AND_VALUES]
REFUSED += [
    (
        WindowCache(2, 3, 5, 4),
        ValueError,
        "key must hold one token, ",
        (GOOD.expand(2, 3, 2, 4),) * 2,
    ),
    (LatentCache(2, 5, 4), ValueError, "rows must have shape (batch_size=2, new_len", (GOOD,)),
    (LatentCache(2, 5, 4), TypeError, "rows must have the cache's dtype", (LATENTS.half(),)),
]


@pytest.mark.parametrize("cache, error, message, rows", REFUSED)
def test_bad_appends_are_refused(cache, error, message, rows):
    with pytest.raises(error, match=re.escape(message)):
        cache.append(*rows)
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
        with pytest.raises(TypeError, match=f"{name} must be an integer, got 2.0"):
            cache(**sizes | {name: 2.0})
