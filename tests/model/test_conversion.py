"""The same numbers in torch's modules, and in heads that stand alone."""

import re

import pytest
import torch
from hypothesis import given
from torch import nn

from comparing_modules import close
from course_lib import MultiHeadAttention, RotaryEmbedding, SingleHead, merge_heads, separate_heads
from course_lib.model.conversion import attention_from_torch, attention_to_torch, block_from_torch
from reference_attention import PROPERTY, cases
from refusals import refuses


@pytest.mark.parametrize("batch_first", [True, False])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("cross", [True, False])
def test_from_torch_gives_the_same_output_and_weights(batch_first, bias, cross):
    theirs = nn.MultiheadAttention(24, 4, bias=bias, batch_first=batch_first, dtype=torch.float64)
    if bias:
        nn.init.normal_(theirs.in_proj_bias)
        nn.init.normal_(theirs.out_proj.bias)
    ours = attention_from_torch(theirs)
    query = torch.randn(3, 5, 24, dtype=torch.float64)
    key = torch.randn(3, 7, 24, dtype=torch.float64) if cross else query
    mask = torch.rand(5, key.shape[1]) < 0.6
    mask[:, 0] = True
    inputs = (query, key, key) if batch_first else [x.transpose(0, 1) for x in (query, key, key)]
    expected, expected_weights = theirs(*inputs, attn_mask=~mask, average_attn_weights=False)
    if not batch_first:
        expected = expected.transpose(0, 1)
    output, weights = ours(query, key if cross else None, mask=mask, need_weights=True)
    close(output, expected, 1e-12)
    close(weights, expected_weights, 1e-12)
    close(ours(query, key if cross else None, mask=mask)[0], expected, 1e-12)


def test_from_torch_shares_nothing_and_keeps_settings():
    options = {"dropout": 0.25, "kdim": 16, "vdim": 16, "dtype": torch.float64}
    theirs = nn.MultiheadAttention(16, 4, **options).eval()
    ours = attention_from_torch(theirs)
    assert ours.dropout == 0.25 and not ours.training and ours.q_proj.weight.dtype == torch.float64
    nn.init.zeros_(theirs.in_proj_weight)
    assert ours.q_proj.weight.abs().min() > 0


@pytest.mark.parametrize("bias", [True, False])
def test_to_torch_and_back_is_the_identity(bias):
    module = MultiHeadAttention(24, 4, bias=bias, dropout=0.1).eval()
    theirs = attention_to_torch(module)
    assert theirs.batch_first and not theirs.training and theirs.dropout == 0.1
    back = attention_from_torch(theirs)
    assert back.state_dict().keys() == module.state_dict().keys()
    for name, tensor in module.state_dict().items():
        assert torch.equal(back.state_dict()[name], tensor)
    x = torch.randn(2, 5, 24)
    close(theirs(x, x, x, need_weights=False)[0], module(x)[0], 1e-6)


@pytest.mark.parametrize(
    "options, got",
    [
        ({"kdim": 8}, "kdim=8"),
        ({"vdim": 8}, "vdim=8"),
        ({"add_bias_kv": True}, "add_bias_kv=True"),
        ({"add_zero_attn": True}, "add_zero_attn=True"),
        ({"kdim": 8, "add_zero_attn": True}, "kdim=8, add_zero_attn=True"),
    ],
)
def test_from_torch_refuses_what_it_cannot_copy(options, got):
    with pytest.raises(ValueError, match=f"no add_zero_attn, got {got}$"):
        attention_from_torch(nn.MultiheadAttention(16, 4, **options))


def test_conversion_refuses_other_modules():
    with pytest.raises(TypeError, match="must be nn.MultiheadAttention, got Linear"):
        attention_from_torch(nn.Linear(4, 4))
    with pytest.raises(ValueError, match="num_kv_heads must equal num_heads 4, got 2"):
        attention_to_torch(MultiHeadAttention(16, 4, num_kv_heads=2))
    rotary = MultiHeadAttention(16, 4, rotary=RotaryEmbedding(4))
    refuses(ValueError, "rotary must be None: torch's module", attention_to_torch, rotary)
    refuses(ValueError, "rotary must be None: a SingleHead", separate_heads, rotary)


@PROPERTY
@given(cases(kinds=("self", "key"), masks=("none", "2-D")))
def test_separate_heads_concatenated_and_mixed_are_the_module(case):
    heads, out_proj = separate_heads(case.module)
    options = {"mask": case.mask, "is_causal": case.is_causal}
    results = [head(case.query, case.key, **options) for head in heads]
    output, weights = case.run(need_weights=True)
    close(out_proj(torch.cat([heads_out for heads_out, _ in results], dim=-1)), output, 1e-12)
    close(torch.stack([head_weights for _, head_weights in results], dim=1), weights, 1e-12)


@pytest.mark.parametrize("bias", [True, False])
def test_merged_heads_are_the_loop_over_heads(bias):
    heads = nn.ModuleList(SingleHead(24, 6, bias=bias) for _ in range(4))
    out_proj = nn.Linear(24, 24, bias=bias)
    merged = merge_heads(heads, out_proj)
    x = torch.randn(2, 5, 24)
    close(merged(x)[0], out_proj(torch.cat([head(x)[0] for head in heads], dim=-1)), 1e-6)
    for i, head in enumerate(heads):  # head i owns rows i * head_dim and on
        assert torch.equal(merged.k_proj.weight[i * 6 : (i + 1) * 6], head.k_proj.weight)


def test_merge_heads_refuses_mismatched_sizes():
    good = [SingleHead(12, 6), SingleHead(12, 6)]
    out_proj = nn.Linear(12, 12)
    refuses(ValueError, "heads must hold at least one head, got none", merge_heads, [], out_proj)
    with pytest.raises(ValueError, match="out_proj must keep 12 features, got 8"):
        merge_heads(good, nn.Linear(12, 8))
    with pytest.raises(ValueError, match="5 heads must divide out_proj's 12 features"):
        merge_heads([SingleHead(12, 2)] * 5, out_proj)
    wrong = re.escape("heads[1].q_proj must map 12 features to 6, got 12 to 4")
    refuses(ValueError, wrong, merge_heads, [good[0], SingleHead(12, 4)], out_proj)
    wrong = re.escape("heads[0].q_proj must have bias=False as out_proj has, got bias=True")
    refuses(ValueError, wrong, merge_heads, good, nn.Linear(12, 12, bias=False))


def test_conversion_refuses_other_layers():
    with pytest.raises(
        TypeError, match="layer must be nn.TransformerEncoderLayer or .* got Linear"
    ):
        block_from_torch(nn.Linear(4, 4))
    for activation in (nn.Tanh(), torch.tanh):
        layer = nn.TransformerEncoderLayer(8, 2, 16, activation=activation, batch_first=True)
        message = re.escape("activation must be one of ['relu', 'gelu', 'gelu_tanh', 'silu'], got")
        refuses(ValueError, message, block_from_torch, layer)


def test_conversion_knows_the_activation():
    activations = (nn.ReLU(), nn.GELU(), nn.GELU(approximate="tanh"), nn.SiLU(), nn.functional.silu)
    for activation in activations:
        layer = nn.TransformerEncoderLayer(8, 2, 16, 0.0, activation, batch_first=True)
        x = torch.randn(1, 3, 8)
        close(block_from_torch(layer)(x)[0], layer(x), 1e-5)
