"""Outputs of heads, read and replaced, against a rebuilt model."""

import pytest
import torch

from course_lib import DecoderLM, MultiHeadAttention
from course_lib.study.head_outputs import ablate_heads, head_outputs, mean_head_outputs


@pytest.mark.parametrize("need_weights", [False, True])
def test_ablating_heads_takes_away_their_part_of_the_sum(need_weights):
    attention = MultiHeadAttention(24, 4, num_kv_heads=2, dtype=torch.float64)
    torch.nn.init.normal_(attention.out_proj.bias)
    x = torch.randn(2, 5, 24, dtype=torch.float64)
    before, weights = attention(x, need_weights=True)
    with torch.no_grad():
        v = attention.v_proj(x).view(2, 5, 2, 6).repeat_interleave(2, dim=2)
        parts = torch.einsum("bhqk,bkhd->bqhd", weights, v)
        columns = attention.out_proj.weight.view(24, 4, 6)
        taken = torch.einsum("bqhd,ohd->bqho", parts, columns)[:, :, [0, 3]].sum(dim=2)
    with ablate_heads({attention: [0, 3]}):
        output, same_weights = attention(x, need_weights=need_weights)
    torch.testing.assert_close(output, before - taken)
    if need_weights:
        torch.testing.assert_close(same_weights, weights)


def test_the_model_is_restored_even_after_an_error():
    model = DecoderLM(7, 16, 4, 2, positions="rotary")
    tokens = torch.randint(7, (2, 6))
    before, _ = model(tokens)
    attentions = [block.attention for block in model.stack.blocks]
    with pytest.raises(RuntimeError, match="stop"), ablate_heads({attentions[0]: [1]}):
        assert not torch.allclose(model(tokens)[0], before)
        raise RuntimeError("stop")
    assert torch.equal(model(tokens)[0], before)
    for number in (4, -1):
        with (
            pytest.raises(ValueError, match=f"heads must be between 0 and 3, got {number}"),
            ablate_heads({attentions[0]: [1], attentions[1]: [number]}),
        ):
            pass
    assert torch.equal(model(tokens)[0], before)
    with (
        pytest.raises(TypeError, match="DecoderLM is no attention with a map"),
        ablate_heads({model: [0]}),
    ):
        pass


def test_ablation_nests_and_all_heads_leave_the_residual_stream():
    model = DecoderLM(7, 16, 4, 1, 0, positions="none", dtype=torch.float64)
    torch.nn.init.zeros_(model.stack.blocks[0].attention.out_proj.bias)
    tokens = torch.randint(7, (2, 6))
    attention = model.stack.blocks[0].attention
    expected = model.head(model.stack.norm(model.embedding(tokens)))
    with ablate_heads({attention: [0, 1]}), ablate_heads({attention: [2, 3]}):
        torch.testing.assert_close(model(tokens)[0], expected)
    assert not torch.allclose(model(tokens)[0], expected)


# --- mean ablation -----------------------------------------------------------------------------


def outputs_by_hand(attention, x):
    """What each head hands to out_proj: (batch, length, num_heads, head_dim)."""
    batch, length, _ = x.shape
    with torch.no_grad():
        _, weights = attention(x, need_weights=True)
        v = attention.v_proj(x).view(batch, length, attention.num_kv_heads, attention.head_dim)
        v = v.repeat_interleave(attention.num_heads // attention.num_kv_heads, dim=2)
        return torch.einsum("bhqk,bkhd->bqhd", weights, v)


@pytest.mark.parametrize("num_kv_heads", [1, 2, 4])
def test_the_mean_of_heads_is_over_all_texts_and_positions(num_kv_heads):
    attention = MultiHeadAttention(24, 4, num_kv_heads=num_kv_heads, dtype=torch.float64)
    torch.nn.init.normal_(attention.v_proj.bias)
    batches = [torch.randn(2, 5, 24, dtype=torch.float64), torch.randn(3, 1, 24).double()]
    means = mean_head_outputs([attention], lambda: [attention(x) for x in batches])
    rows = torch.cat([outputs_by_hand(attention, x).flatten(0, 1) for x in batches])  # (13, 4, 6)
    assert list(means) == [attention] and not means[attention].requires_grad
    torch.testing.assert_close(means[attention], rows.mean(dim=0))
    assert not attention.out_proj._forward_pre_hooks


@pytest.mark.parametrize("need_weights", [False, True])
def test_mean_ablation_puts_the_mean_where_the_output_was(need_weights):
    attention = MultiHeadAttention(24, 4, num_kv_heads=2, dtype=torch.float64)
    torch.nn.init.normal_(attention.out_proj.bias)
    x, reference = torch.randn(2, 2, 5, 24, dtype=torch.float64)
    means = mean_head_outputs([attention], lambda: attention(reference))
    heads = outputs_by_hand(attention, x)
    heads[:, :, [0, 3]] = means[attention][[0, 3]]
    with ablate_heads({attention: [0, 3]}, means):
        output, _ = attention(x, need_weights=need_weights)
    torch.testing.assert_close(output, attention.out_proj(heads.flatten(2)))


def test_means_of_half_precision_are_not_rounded_in_the_sum():
    attention = MultiHeadAttention(8, 2, dtype=torch.bfloat16)
    torch.nn.init.zeros_(attention.v_proj.weight)
    torch.nn.init.ones_(attention.v_proj.bias)
    x = torch.zeros(64, 64, 8, dtype=torch.bfloat16)
    means = mean_head_outputs([attention], lambda: attention(x))
    assert torch.equal(means[attention], torch.ones(2, 4))
    with ablate_heads({attention: [0]}, means):
        assert attention(x)[0].dtype == torch.bfloat16


def test_means_that_do_not_fit_are_refused():
    attention, other = MultiHeadAttention(8, 2), MultiHeadAttention(8, 4)
    x = torch.randn(1, 3, 8)
    for means in ({}, {attention: torch.zeros(4, 2)}):
        with (
            pytest.raises(
                ValueError, match=r"instead must hold \(2, 4\), or \(batch, query_len\) "
            ),
            ablate_heads({attention: [0]}, means),
        ):
            pass
    with pytest.raises(ValueError, match="call must run each layer of attentions"):
        mean_head_outputs([attention, other], lambda: attention(x))
    with pytest.raises(ValueError, match="on at least one position"):
        mean_head_outputs([attention], lambda: attention(x[:, :0]))
    with pytest.raises(TypeError, match="Linear is no attention with a map"):
        mean_head_outputs([attention.q_proj], lambda: None)
    with pytest.raises(RuntimeError, match="stop"):
        mean_head_outputs([attention], lambda: (_ for _ in ()).throw(RuntimeError("stop")))
    assert not attention.out_proj._forward_pre_hooks


# --- resample ablation, and patching -----------------------------------------------------------


@pytest.mark.parametrize("num_kv_heads", [1, 2, 4])
def test_outputs_on_another_text_stand_where_the_output_was(num_kv_heads):
    attention = MultiHeadAttention(24, 4, num_kv_heads=num_kv_heads, dtype=torch.float64)
    torch.nn.init.normal_(attention.out_proj.bias)
    x, other = torch.randn(2, 2, 5, 24, dtype=torch.float64)
    found = head_outputs([attention], lambda: attention(other))
    assert list(found) == [attention] and not found[attention].requires_grad
    torch.testing.assert_close(found[attention], outputs_by_hand(attention, other))
    heads = outputs_by_hand(attention, x)
    heads[:, :, [0, 3]] = found[attention][:, :, [0, 3]]
    with ablate_heads({attention: [0, 3]}, found):
        output, _ = attention(x)
    torch.testing.assert_close(output, attention.out_proj(heads.flatten(2)))
    assert not attention.out_proj._forward_pre_hooks


def test_outputs_that_do_not_fit_are_refused():
    attention, other = MultiHeadAttention(8, 2), MultiHeadAttention(8, 2)
    x = torch.randn(2, 3, 8)
    found = head_outputs([attention], lambda: attention(x))
    with (
        pytest.raises(ValueError, match=r"from texts of shape \(2, 4\), got \(2, 3\)"),
        ablate_heads({attention: [0]}, found),
    ):
        attention(torch.randn(2, 4, 8))
    with pytest.raises(ValueError, match="each layer of attentions once, got 0 times"):
        head_outputs((one for one in [attention, other]), lambda: attention(x))
    with pytest.raises(ValueError, match="each layer of attentions once, got 2 times"):
        head_outputs([attention], lambda: [attention(x), attention(x)])
    assert not attention.out_proj._forward_pre_hooks
