"""Scores of heads on weights whose right answer is known."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib import causal_mask, padding_mask
from course_lib.study.heads import (
    attention_entropy,
    entropy_score,
    first_token_score,
    induction_score,
    induction_targets,
    maximum_entropy,
    next_token_score,
    offset_score,
    previous_token_score,
    same_token_score,
    target_score,
)
from reference_attention import PROPERTY
from refusals import refuses


def random_weights(batch=2, heads=3, query_len=6, key_len=6):
    return torch.randn(batch, heads, query_len, key_len, dtype=torch.float64).softmax(-1)


def looking_at(offset, length=6):
    """Weights (1, 1, length, length) of a head that puts 0.9 on the key at an offset."""
    weights = torch.full((length, length), 0.1 / (length - 1), dtype=torch.float64)
    for query in range(length):
        if 0 <= query + offset < length:
            weights[query, query + offset] = 0.9
    return weights[None, None]


@PROPERTY
@given(st.integers(1, 9))
def test_entropy_lies_between_one_key_and_equal_weights(n):
    weights = random_weights(key_len=n)
    entropy = attention_entropy(weights)
    torch.testing.assert_close(entropy, -(weights * weights.log()).sum(-1))
    assert (entropy <= math.log(n) + 1e-12).all() and (entropy >= -1e-12).all()
    assert attention_entropy(torch.full((n,), 1 / n).double()) == pytest.approx(math.log(n))
    assert attention_entropy(torch.eye(n)).abs().max() == 0


def test_maximum_entropy_counts_the_allowed_keys():
    expected = torch.tensor([math.log(1), math.log(2), math.log(3)])
    torch.testing.assert_close(maximum_entropy(causal_mask(3)), expected)
    assert maximum_entropy(torch.zeros(2, 3, dtype=torch.bool)).tolist() == [0.0, 0.0]


def test_entropy_score_is_a_share_of_what_the_mask_allows():
    mask = causal_mask(5)[None, None]
    uniform = mask / mask.sum(-1, keepdim=True)
    scores = entropy_score(torch.cat([uniform, torch.eye(5)[None, None]], dim=1), mask)
    torch.testing.assert_close(scores, torch.tensor([1.0, 0.0]))
    assert entropy_score(uniform).item() < 0.9  # without the mask it would look sharp
    padded = padding_mask([3, 0], 4)
    weights = padded / padded.sum(-1, keepdim=True).clamp(min=1)
    torch.testing.assert_close(entropy_score(weights.expand(2, 2, 4, 4), padded), torch.ones(2))
    assert entropy_score(torch.ones(1, 1, 3, 1)).isnan().all()


@pytest.mark.parametrize(
    "score, offset", [(previous_token_score, -1), (same_token_score, 0), (next_token_score, 1)]
)
def test_offset_scores_find_their_own_offset_only(score, offset):
    for looked_at in (-2, -1, 0, 1, 2):
        expected = 0.9 if looked_at == offset else 0.02
        assert score(looking_at(looked_at)).item() == pytest.approx(expected, abs=1e-9)


def test_offset_score_is_the_mean_over_queries_that_have_the_key():
    weights = random_weights(query_len=3, key_len=7)  # three new queries after four cached keys
    for offset in (-6, -2, 0, 1, 2):
        pairs = [(q, q + 4 + offset) for q in range(3) if 0 <= q + 4 + offset < 7]
        expected = torch.stack([weights[:, :, q, k] for q, k in pairs]).mean(dim=(0, 1))
        torch.testing.assert_close(offset_score(weights, offset), expected)
    for offset in (-7, 3):
        assert offset_score(weights, offset).isnan().all()


def test_first_token_score_leaves_out_the_first_query():
    """Under a causal mask the first query has no choice but the first token."""
    weights = random_weights()
    torch.testing.assert_close(first_token_score(weights), weights[:, :, 1:, 0].mean(dim=(0, 2)))
    weights[:, :, 0] = 0.0
    weights[:, :, 0, 0] = 1.0
    weights[:, :, 1:, 0] = 0.25
    torch.testing.assert_close(first_token_score(weights), torch.full((3,), 0.25).double())


@PROPERTY
@given(st.integers(1, 3), st.integers(0, 10), st.integers(1, 5))
def test_induction_targets_follow_an_earlier_equal_token(batch, length, vocab_size):
    tokens = torch.randint(vocab_size, (batch, length))
    targets = induction_targets(tokens)
    for b in range(batch):
        for q in range(length):
            follows = [0 < k <= q and tokens[b, k - 1] == tokens[b, q] for k in range(length)]
            assert targets[b, q].tolist() == follows


def test_induction_score_of_a_perfect_head():
    tokens = torch.tensor([[5, 3, 8, 5, 3, 8], [1, 2, 3, 4, 1, 2]])
    targets = induction_targets(tokens)
    weights = torch.full((2, 1, 6, 6), 1 / 6)
    found = targets.any(-1)
    weights[:, 0][found] = targets[found].float()
    assert induction_score(weights, tokens).item() == pytest.approx(1.0)
    assert induction_score(torch.full((2, 1, 6, 6), 1 / 6), tokens).item() == pytest.approx(1 / 6)
    assert induction_score(weights, torch.arange(6)[None].expand(2, 6)).isnan().all()


def test_target_score_weighs_each_query_with_a_target_once():
    weights = random_weights()
    targets = torch.zeros(2, 6, 6, dtype=torch.bool)
    targets[0, 2, [1, 4]] = True
    targets[1, 5, 0] = True
    expected = (weights[0, :, 2, 1] + weights[0, :, 2, 4] + weights[1, :, 5, 0]) / 2
    torch.testing.assert_close(target_score(weights, targets), expected)


def test_bad_weights_are_refused():
    for score in (entropy_score, same_token_score, first_token_score):
        refuses(ValueError, r"weights must have shape \(batch, num_.*\(6, 6\)", score, torch.eye(6))
        with pytest.raises(TypeError, match="weights must have a floating dtype"):
            score(torch.ones(1, 1, 6, 6, dtype=torch.long))
    with pytest.raises(TypeError, match="mask must be a boolean tensor, True = may attend, got"):
        maximum_entropy(torch.ones(3, 3))
    weights, targets = random_weights(), torch.ones(2, 6, 6)
    refuses(TypeError, "offset must be an integer, got True", offset_score, weights, True)
    refuses(TypeError, "weights must have a floating dtype", attention_entropy, targets.long())
    with pytest.raises(ValueError, match=r"weights must have shape \(batch, num_.*\(2, 6, 6\)"):
        target_score(weights[:, 0], targets.bool())
    with pytest.raises(TypeError, match="targets must be a boolean tensor, True = is a target"):
        target_score(weights, targets)
    with pytest.raises(ValueError, match=r"targets must have shape \(2, 6, 6\), got \(2, 6, 5\)"):
        target_score(weights, targets[..., 1:].bool())
    with pytest.raises(ValueError, match=r"tokens must have shape \(batch, length\), got \(6,\)"):
        induction_targets(torch.arange(6))
