"""A cache changes the cost of generation and nothing else."""

import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib import KVCache, MultiHeadAttention, RotaryEmbedding
from reference_attention import PROPERTY


@PROPERTY
@given(
    chunks=st.lists(st.integers(0, 5), min_size=1, max_size=5),
    heads=st.sampled_from([(1, 1), (4, 4), (4, 2), (4, 1)]),
    pairing=st.sampled_from([None, "halves", "interleaved"]),
    need_weights=st.booleans(),
    with_mask=st.booleans(),
    batch=st.integers(0, 2),
)
def test_any_chunks_through_a_cache_give_the_uncached_output(
    chunks, heads, pairing, need_weights, with_mask, batch
):
    rotary = None if pairing is None else RotaryEmbedding(6, pairing=pairing)
    num_heads, num_kv_heads = heads
    module = MultiHeadAttention(
        num_heads * 6, num_heads, num_kv_heads=num_kv_heads, rotary=rotary, dtype=torch.float64
    )
    length = sum(chunks)
    x = torch.randn(batch, length, module.d_model, dtype=torch.float64)
    mask = torch.rand(batch, 1, length, length) < 0.7 if with_mask else None
    with torch.no_grad():
        expected, expected_weights = module(x, mask=mask, is_causal=True, need_weights=True)
        cache = module.make_cache(batch, length + 1)
        start = 0
        for chunk in chunks:
            end = start + chunk
            output, weights = module(
                x[:, start:end],
                mask=None if mask is None else mask[:, :, start:end, :end],
                is_causal=True,
                need_weights=need_weights,
                cache=cache,
            )
            assert cache.length == end
            torch.testing.assert_close(output, expected[:, start:end], atol=1e-12, rtol=0)
            if need_weights:
                torch.testing.assert_close(
                    weights, expected_weights[:, :, start:end, :end], atol=1e-12, rtol=0
                )
            start = end


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


def test_append_fills_its_buffers_in_place():
    cache = KVCache(2, 3, 5, 4)
    key, value = torch.randn(2, 3, 2, 4), torch.randn(2, 3, 2, 4)
    keys, values = cache.append(key, value)
    assert torch.equal(keys, key) and torch.equal(values, value)
    new_key, new_value = torch.randn(2, 3, 3, 4), torch.randn(2, 3, 3, 4)
    longer_keys, longer_values = cache.append(new_key, new_value)
    assert torch.equal(longer_keys, torch.cat([key, new_key], dim=2))
    assert torch.equal(longer_values, torch.cat([value, new_value], dim=2))
    assert longer_keys.data_ptr() == keys.data_ptr()
    assert longer_values.data_ptr() == values.data_ptr()


def test_overflow_is_refused_and_leaves_the_cache_as_it_was():
    cache = KVCache(1, 1, 5, 4)
    first = torch.randn(1, 1, 4, 4)
    cache.append(first, first)
    with pytest.raises(ValueError, match="at most max_len=5 tokens, got 2 more after 4"):
        cache.append(torch.zeros(1, 1, 2, 4), torch.zeros(1, 1, 2, 4))
    assert cache.length == 4
    keys, _ = cache.append(torch.ones(1, 1, 1, 4), torch.ones(1, 1, 1, 4))
    assert torch.equal(keys[:, :, :4], first)


def test_a_refused_mask_leaves_the_cache_as_it_was():
    module = MultiHeadAttention(16, 4)
    cache = module.make_cache(1, 5)
    x = torch.randn(1, 2, 16)
    with torch.no_grad():
        module(x, cache=cache)
        too_short = torch.ones(2, 2, dtype=torch.bool)  # 2 queries see 4 keys
        message = re.escape("mask must broadcast to the scores' shape (1, 4, 2, 4), got (2, 2)")
        with pytest.raises(ValueError, match=message):
            module(x, mask=too_short, cache=cache)
    assert cache.length == 2


GOOD = torch.zeros(2, 3, 1, 4)


@pytest.mark.parametrize(
    "error, message, key, value",
    [
        (
            ValueError,
            "key must have shape (batch_size=2, num_kv_heads=3, new_len, head_dim=4), "
            "got (2, 1, 1, 4)",
            GOOD[:, :1],
            GOOD,
        ),
        (ValueError, "got (3, 1, 4)", GOOD[0], GOOD),
        (ValueError, "value must have shape", GOOD, torch.zeros(2, 3, 2, 4)),
        (TypeError, "value must have the cache's dtype torch.float32, got", GOOD, GOOD.half()),
        (ValueError, "key must be on the cache's device cpu, got meta", GOOD.to("meta"), GOOD),
        (
            RuntimeError,
            "value needs a gradient, which a cache cannot carry: use torch.no_grad()",
            GOOD,
            GOOD.clone().requires_grad_(),
        ),
    ],
)
def test_bad_appends_are_refused(error, message, key, value):
    with pytest.raises(error, match=re.escape(message)):
        KVCache(2, 3, 5, 4).append(key, value)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("num_kv_heads", [4, 2, 1])
def test_a_layer_makes_a_cache_for_its_own_key_heads(num_kv_heads, device, dtype):
    factory = {"device": device, "dtype": dtype}
    module = MultiHeadAttention(24, 4, num_kv_heads=num_kv_heads, **factory)
    cache = module.make_cache(3, 5)
    assert (cache.max_len, cache.length) == (5, 0)
    keys, values = cache.append(*torch.zeros(2, 3, num_kv_heads, 5, 6, **factory))
    for held in (keys, values):
        assert held.shape == (3, num_kv_heads, 5, 6)
        assert (held.device.type, held.dtype) == (device, dtype)


def test_bad_sizes_are_refused():
    with pytest.raises(ValueError, match="max_len must be at least 1, got 0"):
        KVCache(1, 1, 0, 4)
    with pytest.raises(ValueError, match="batch_size must be 0 or more, got -1"):
        KVCache(-1, 1, 5, 4)
    with pytest.raises(TypeError, match="head_dim must be an integer, got 4.0"):
        KVCache(1, 1, 5, 4.0)
    with pytest.raises(TypeError, match="batch_size must be an integer, got 1.0"):
        KVCache(1.0, 1, 5, 4)
