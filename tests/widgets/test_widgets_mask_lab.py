"""MaskLab without a browser."""

import pytest
import torch
from traitlets import TraitError

from course_lib.widgets import MaskLab

TOKENS = ["The", "bank", "by", "the", "river", "approved", "<pad>", "<pad>"]
i, j = torch.arange(8)[:, None], torch.arange(8)  # query, key


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("no mask", i + j >= 0),
        ("causal", j <= i),
        ("padding", (j < 6).expand(8, 8)),
        ("causal and padding", (j <= i) & (j < 6)),
        ("sliding window", (j <= i) & (i - j < 3)),
    ],
)
def test_presets(preset, expected):
    assert torch.equal(MaskLab(TOKENS, preset).mask, expected)


def test_the_future_leaks_exactly_where_the_mask_lets_it():
    for seed in range(20):
        generator = torch.Generator().manual_seed(seed)
        mask = torch.rand(8, 8, generator=generator) < 0.4
        mask |= torch.eye(8, dtype=torch.bool)
        lab = MaskLab(TOKENS, changed=seed % 8, seed=seed)
        lab.allowed = mask.tolist()
        # Output q moves when q may look at the changed token, or is the changed token itself. A
        # row with one key only ever returns that key's value.
        expected = mask[:, lab.changed].clone()
        if mask[lab.changed].sum() > 1:
            expected[lab.changed] = True
        assert torch.equal(lab.moves, expected)
        # Every query is tested, whichever token is the changed one.
        future = (mask & (j > i)).nonzero().tolist()
        assert lab.leaks == [tuple(pair) for pair in future]


def test_a_causal_mask_never_leaks_and_one_open_cell_does():
    assert MaskLab(TOKENS).leaks == []
    assert len(MaskLab(TOKENS, "no mask").leaks) == 28
    for query in range(8):
        for key in range(query + 1, 8):
            lab = MaskLab(TOKENS, changed=0)
            lab.allowed = [
                [may or (q, k) == (query, key) for k, may in enumerate(row)]
                for q, row in enumerate(lab.allowed)
            ]
            assert lab.leaks == [(query, key)]


def test_an_empty_row_is_zero():
    lab = MaskLab(TOKENS)
    lab.allowed = [[False] * 8, *lab.allowed[1:]]
    assert lab.weights[0].sum() == 0
    torch.testing.assert_close(lab.weights[1:].sum(dim=-1), torch.ones(7).double())


@pytest.mark.parametrize(
    ("error", "words", "arguments"),
    [
        (ValueError, "tokens must hold 1 to 12 tokens, got 13", {"tokens": ["a"] * 13}),
        (ValueError, "tokens must hold 1 to 12 tokens, got 0", {"tokens": []}),
        (TypeError, "split it first", {"tokens": "a b"}),
        (ValueError, "preset must be one of no mask, .*, got 'none'", {"preset": "none"}),
        (ValueError, "padding must be from 0 to 8 tokens, got 9", {"padding": 9}),
        (ValueError, "window must be at least 1, got 0", {"window": 0}),
        (TraitError, "changed must be from 0 to 7, got 8", {"changed": 8}),
        (TraitError, "query must be from 0 to 7, got -1", {"query": -1}),
    ],
)
def test_bad_input_is_named(error, words, arguments):
    with pytest.raises(error, match=words):
        MaskLab(**({"tokens": TOKENS} | arguments))


def test_rows_of_another_size_are_refused():
    lab = MaskLab(TOKENS)
    with pytest.raises(TraitError, match="8 rows of 8 booleans, got 2 rows of"):
        lab.allowed = [[True], [False]]


def test_stored_output_is_the_same_in_every_run_and_holds_no_raw_token():
    first, second = (MaskLab(["<pad>", "b"]).still() for _ in range(2))
    assert first == second
    assert "<pad>" not in first and "&lt;pad&gt;" in first
    assert MaskLab(TOKENS).describe() == "MaskLab(8 tokens)"
