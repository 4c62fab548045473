"""Outputs of heads, read and replaced, against the same computed by hand."""

import re

import pytest
import torch

from course_lib import DecoderLM, MultiHeadAttention
from course_lib.study.head_outputs import ablate_heads, head_outputs, mean_head_outputs


def outputs_by_hand(attention, x):
    """What each head hands to out_proj: (batch, length, num_heads, head_dim)."""
    batch, length, _ = x.shape
    with torch.no_grad():
        _, weights = attention(x, need_weights=True)
        v = attention.v_proj(x).view(batch, length, attention.num_kv_heads, attention.head_dim)
        v = v.repeat_interleave(attention.num_heads // attention.num_kv_heads, dim=2)
        return torch.einsum("bhqk,bkhd->bqhd", weights, v)


@pytest.mark.parametrize("num_kv_heads", [1, 2, 4])
@pytest.mark.parametrize("instead", ["zero", "means", "outputs"])
def test_what_heads_say_is_read_and_replaced(num_kv_heads, instead):
    attention = MultiHeadAttention(24, 4, num_kv_heads=num_kv_heads, dtype=torch.float64)
    torch.nn.init.normal_(attention.v_proj.bias)
    torch.nn.init.normal_(attention.out_proj.bias)
    x, other = torch.randn(2, 2, 5, 24, dtype=torch.float64)
    found, expected = None, torch.zeros(4, 6).double()
    if instead == "means":  # over all texts and positions
        batches = [other, torch.randn(3, 1, 24).double()]
        found = mean_head_outputs([attention], lambda: [attention(batch) for batch in batches])
        rows = torch.cat([outputs_by_hand(attention, batch).flatten(0, 1) for batch in batches])
        expected = rows.mean(dim=0)
    if instead == "outputs":
        found = head_outputs([attention], lambda: attention(other))
        expected = outputs_by_hand(attention, other)
    if found is not None:
        assert list(found) == [attention] and not found[attention].requires_grad
        torch.testing.assert_close(found[attention], expected)
    heads, before = outputs_by_hand(attention, x), attention(x)[0]
    heads[:, :, [0, 3]] = expected.expand_as(heads)[:, :, [0, 3]]
    for need_weights in (False, True):
        with ablate_heads({attention: [0, 3]}, found):
            output, weights = attention(x, need_weights=need_weights)
        torch.testing.assert_close(output, attention.out_proj(heads.flatten(2)))
    torch.testing.assert_close(weights, attention(x, need_weights=True)[1])
    assert torch.equal(attention(x)[0], before) and not attention.out_proj._forward_pre_hooks


def test_ablation_nests_and_all_heads_leave_the_residual_stream():
    model = DecoderLM(7, 16, 4, 1, 0, positions="none", dtype=torch.float64)
    torch.nn.init.zeros_(model.stack.blocks[0].attention.out_proj.bias)
    tokens = torch.randint(7, (2, 6))
    attention = model.stack.blocks[0].attention
    expected = model.head(model.stack.norm(model.embedding(tokens)))
    with ablate_heads({attention: [0, 1]}), ablate_heads({attention: [2, 3]}):
        torch.testing.assert_close(model(tokens)[0], expected)
    assert not torch.allclose(model(tokens)[0], expected)


def test_means_of_half_precision_are_not_rounded_in_the_sum():
    attention = MultiHeadAttention(8, 2, dtype=torch.bfloat16)
    torch.nn.init.zeros_(attention.v_proj.weight)
    torch.nn.init.ones_(attention.v_proj.bias)
    x = torch.zeros(64, 64, 8, dtype=torch.bfloat16)
    means = mean_head_outputs([attention], lambda: attention(x))
    torch.testing.assert_close(means[attention], torch.ones(2, 4), rtol=0, atol=0)  # float32
    with ablate_heads({attention: [0]}, means):
        assert attention(x)[0].dtype == torch.bfloat16


ATTENTION, OTHER, TEXTS = MultiHeadAttention(8, 2), MultiHeadAttention(8, 4), torch.randn(2, 3, 8)
HOLD = "instead must hold (2, 4), or (batch, query_len) before it, for each layer, got "
OF_THREE = head_outputs([ATTENTION], lambda: ATTENTION(TEXTS))


def replaced(instead, heads=(0,), attention=ATTENTION):
    with ablate_heads({attention: heads}, instead):
        ATTENTION(torch.randn(2, 4, 8))


@pytest.mark.parametrize(
    "error, message, call",
    [
        (ValueError, f"{HOLD}None", lambda: replaced({})),
        (ValueError, f"{HOLD}(4, 2)", lambda: replaced({ATTENTION: torch.zeros(4, 2)})),
        (ValueError, "from texts of shape (2, 4), got (2, 3)", lambda: replaced(OF_THREE)),
        (ValueError, "heads must be between 0 and 1, got -1", lambda: replaced(None, [1, -1])),
        (TypeError, "ReLU is no attention with a map", lambda: replaced({}, (0,), torch.nn.ReLU())),
        (
            ValueError,
            "call must run each layer of attentions on at least one position",
            lambda: mean_head_outputs([ATTENTION, OTHER], lambda: ATTENTION(TEXTS)),
        ),
        (
            ValueError,
            "on at least one position",
            lambda: mean_head_outputs([ATTENTION], lambda: ATTENTION(TEXTS[:, :0])),
        ),
        (
            ValueError,
            "each layer of attentions once, got 0 times",
            lambda: head_outputs((one for one in [ATTENTION, OTHER]), lambda: ATTENTION(TEXTS)),
        ),
        (
            ValueError,
            "each layer of attentions once, got 2 times",
            lambda: head_outputs([ATTENTION], lambda: [ATTENTION(TEXTS), ATTENTION(TEXTS)]),
        ),
    ],
)
def test_what_does_not_fit_is_refused_and_leaves_no_hook(error, message, call):
    with pytest.raises(error, match=re.escape(message)):
        call()
    assert not ATTENTION.out_proj._forward_pre_hooks
