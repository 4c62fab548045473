"""The same numbers on a GPU, in half precision, whichever kernel torch chooses there."""

import pytest
import torch

from course_lib import (
    DecoderLM,
    KVCache,
    MultiHeadAttention,
    RotaryEmbedding,
    causal_mask,
    padding_mask,
)
from reference_attention import reference_attention

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device on this machine"),
]

TOLERANCES = {torch.float32: 1e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}


def masks(query_len, key_len):
    empty_row = torch.rand(2, 1, query_len, key_len) < 0.6
    empty_row[0, 0, query_len // 2] = False
    return {
        "none": None,
        "causal": causal_mask(query_len, key_len),
        "padding": padding_mask([key_len, key_len // 2], key_len),
        "empty row": empty_row,
    }


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("num_kv_heads", [8, 2])
@pytest.mark.parametrize("mask_name", ["none", "causal", "padding", "empty row"])
@pytest.mark.parametrize("lengths", [(64, 64), (192, 192), (1, 77), (33, 77)])
@pytest.mark.parametrize("is_causal", [False, True])
def test_both_paths_match_float64(dtype, num_kv_heads, mask_name, lengths, is_causal):
    query_len, key_len = lengths
    module = MultiHeadAttention(128, 8, num_kv_heads=num_kv_heads).to("cuda", dtype)
    query = torch.randn(2, query_len, 128, dtype=dtype)
    key = torch.randn(2, key_len, 128, dtype=dtype)
    mask = masks(query_len, key_len)[mask_name]
    expected, expected_weights = reference_attention(module.cpu(), query, key, key, mask, is_causal)
    module.to("cuda")
    probe = torch.randn(2, query_len, 128, device="cuda")
    gradients = []
    for need_weights in (False, True):
        inputs = [query.to("cuda").requires_grad_(), key.to("cuda").requires_grad_()]
        output, weights = module(
            *inputs,
            mask=None if mask is None else mask.to("cuda"),
            is_causal=is_causal,
            need_weights=need_weights,
        )
        assert output.is_cuda and output.dtype == dtype
        tolerance = {"atol": TOLERANCES[dtype], "rtol": TOLERANCES[dtype]}
        torch.testing.assert_close(output.double().cpu(), expected, **tolerance)
        if need_weights:
            torch.testing.assert_close(weights.double().cpu(), expected_weights, **tolerance)
        gradients.append(torch.autograd.grad((output * probe).sum(), inputs))
    for fused, shown in zip(*gradients, strict=True):
        assert fused.isfinite().all() and shown.isfinite().all()
        scale = shown.abs().max().item()
        torch.testing.assert_close(fused, shown, atol=scale * 10 * TOLERANCES[dtype], rtol=0.05)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_autocast(dtype):
    module = MultiHeadAttention(64, 4, rotary=RotaryEmbedding(16)).to("cuda")
    x, mask = torch.randn(2, 40, 64, device="cuda"), padding_mask([40, 7], 40, device="cuda")
    expected, _ = module(x, mask=mask)
    for need_weights in (False, True):
        with torch.autocast("cuda", dtype=dtype):
            output, _ = module(x, mask=mask, need_weights=need_weights)
        assert output.dtype == dtype
        torch.testing.assert_close(output.float(), expected, atol=4e-2, rtol=4e-2)


@pytest.mark.parametrize("positions", ["learned", "rotary", "sinusoidal"])
def test_generation_with_and_without_cache(positions):
    model = DecoderLM(11, 64, 4, 2, positions=positions, max_len=40).to("cuda", torch.float64)
    tokens = torch.randint(11, (3, 5), device="cuda")
    cached = model.generate(tokens, 30)
    assert cached.is_cuda and torch.equal(cached, model.generate(tokens, 30, use_cache=False))


def test_inputs_on_two_devices_are_refused():
    module, x = MultiHeadAttention(16, 4).to("cuda"), torch.zeros(2, 5, 16, device="cuda")
    with pytest.raises(ValueError, match="mask must be on the device cuda:0, got cpu"):
        module(x, mask=causal_mask(5))
    with pytest.raises(ValueError, match="key must be on the module's device cuda:0, got cpu"):
        module(x, x.cpu())
    with (
        pytest.raises(ValueError, match="key must be on the cache's device cpu, got cuda:0"),
        torch.no_grad(),
    ):
        module(x, cache=KVCache(2, 4, 8, 4))


def test_long_sequences_take_no_quadratic_memory():
    """At 16384 tokens the weights of 8 heads would take 8 GiB in float32, in half of that 4."""
    module = MultiHeadAttention(512, 8).to("cuda", torch.bfloat16)
    x = torch.randn(1, 16384, 512, device="cuda", dtype=torch.bfloat16)
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    module(x, is_causal=True)[0].sum().backward()
    assert torch.cuda.max_memory_allocated() - before < 2**30
