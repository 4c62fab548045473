"""Masks against their definitions, pair by pair."""

import functools

import pytest
import torch

from course_lib import causal_mask, combine_masks, padding_mask, window_mask
from course_lib.attention.masks import masked_softmax
from refusals import refuses


@pytest.mark.parametrize(
    "query_len, key_len", [(0, 0), (0, 3), (3, 0), (1, 6), (4, 4), (3, 5), (5, 3)]
)
def test_causal_mask_is_aligned_to_the_last_key(query_len, key_len):
    mask = causal_mask(query_len, key_len)
    assert mask.dtype == torch.bool and mask.shape == (query_len, key_len)
    for query in range(query_len):
        position = query + key_len - query_len  # the queries are the last positions
        assert mask[query].tolist() == [key <= position for key in range(key_len)]


@pytest.mark.parametrize(
    "query_len, key_len", [(0, 0), (0, 3), (3, 0), (1, 6), (6, 6), (3, 7), (5, 3)]
)
@pytest.mark.parametrize("window", [1, 2, 3, 9])
@pytest.mark.parametrize("sinks", [0, 1, 3, 8])
def test_window_mask_pair_by_pair(query_len, key_len, window, sinks):
    mask = window_mask(query_len, key_len, window=window, sinks=sinks)
    assert mask.dtype == torch.bool and mask.shape == (query_len, key_len)
    for query in range(query_len):
        position = query + key_len - query_len
        seen = [j <= position and (position - j < window or j < sinks) for j in range(key_len)]
        assert mask[query].tolist() == seen


def test_masks_refuse_what_is_no_window_and_no_length():
    for window, error in ((0, ValueError), (-1, ValueError), (1.5, TypeError), (True, TypeError)):
        refuses(error, "window must be", window_mask, 4, window=window)
    refuses(ValueError, "sinks must be 0 or more, got -1", window_mask, 4, window=2, sinks=-1)
    for name, lengths in (("query_len", (-1, 3)), ("key_len", (3, -1))):
        for make in (causal_mask, functools.partial(window_mask, window=2)):
            refuses(ValueError, f"{name} must be 0 or more, got -1", make, *lengths)


@pytest.mark.parametrize("as_input", [list, torch.tensor])
def test_padding_mask_shows_the_first_tokens_of_each_sequence(as_input):
    lengths = [3, 0, 5, 1]
    mask = padding_mask(as_input(lengths), max_len=5)
    assert mask.dtype == torch.bool and mask.shape == (4, 1, 1, 5)
    for row, length in enumerate(lengths):
        assert mask[row, 0, 0].tolist() == [key < length for key in range(5)]
    assert padding_mask(as_input([]), max_len=4).shape == (0, 1, 1, 4)


def test_padding_mask_refuses_bad_lengths():
    with pytest.raises(TypeError, match="lengths must be integers, got torch.float32"):
        padding_mask(torch.tensor([1.0]), 4)
    with pytest.raises(TypeError, match="lengths must be integers, got torch.bool"):
        padding_mask(torch.tensor([True, False]), 4)
    with pytest.raises(ValueError, match=r"lengths must have shape \(batch,\), got \(1, 2\)"):
        padding_mask([[1, 2]], 4)
    for bad in (-1, 5):
        refuses(ValueError, f"between 0 and max_len 4, got .*{bad}", padding_mask, [1, bad], 4)


def test_combined_mask_allows_what_all_masks_allow():
    causal, padding = causal_mask(5), padding_mask([5, 2, 0], 5)
    combined = combine_masks(None, causal, padding)
    assert combine_masks() is None and combine_masks(None, None) is None
    assert combined.shape == (3, 1, 5, 5)
    for row, length in enumerate([5, 2, 0]):
        for query in range(5):
            expected = [key <= query and key < length for key in range(5)]
            assert combined[row, 0, query].tolist() == expected


def test_combine_masks_refuses_bad_masks():
    with pytest.raises(TypeError, match="boolean tensor, True = may attend, got torch.float32"):
        combine_masks(causal_mask(3), torch.zeros(3, 3))
    refuses(TypeError, "got list", combine_masks, [[True]])
    with pytest.raises(ValueError, match=r"broadcast together, got \(3, 3\), \(4, 4\)"):
        combine_masks(causal_mask(3), causal_mask(4))


def test_combined_masks_do_not_turn_a_sequence_into_a_head():
    padding, own = padding_mask([2, 4], 4), torch.ones(2, 4, 4, dtype=torch.bool)
    for masks in ((padding, own), (own, padding)):
        refuses(ValueError, r"at most 2 dimensions or 4 .* mask\[:, None\]", combine_masks, *masks)
    assert torch.equal(combine_masks(padding, own[:, None]), padding.expand(2, 1, 4, 4))
    assert combine_masks(own, own[0]).shape == (2, 4, 4)


def test_masked_softmax_refuses_a_mask_of_numbers():
    refuses(TypeError, "mask must be boolean", masked_softmax, torch.zeros(2, 2), torch.ones(2, 2))
