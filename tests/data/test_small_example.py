"""The small sentence says what the lessons say of it, in the layout of nn.Linear."""

import torch

from course_lib.data.small_example import FEATURES, NUM_HEADS, W_KEY, W_OUT, W_QUERY, W_VALUE, X
from course_lib.data.small_example import TOKENS as SMALL_TOKENS
from course_lib.figures.drawings.single_head import TOKENS


def weights_of(head):
    size = len(FEATURES) // NUM_HEADS
    rows = slice(size * head, size * (head + 1))
    query, key = X @ W_QUERY[rows].T, X @ W_KEY[rows].T  # (8, 2) each
    return (query @ key.T / size**0.5).softmax(dim=-1)


def test_it_is_the_sentence_of_the_drawings():
    assert SMALL_TOKENS == TOKENS
    assert X.shape == (len(TOKENS), len(FEATURES))
    for matrix in (W_QUERY, W_KEY, W_VALUE, W_OUT):
        assert matrix.shape == (len(FEATURES), len(FEATURES))


def test_bank_looks_at_the_river_with_one_head_and_at_the_loan_with_the_other():
    bank = TOKENS.index("bank")
    for head, word in enumerate(("river", "loan")):
        row = weights_of(head)[bank]
        assert TOKENS[row.argmax()] == word
        assert row.max() > 0.5 and (row - row[0]).abs().lt(1e-6).sum() >= 4


def test_w_out_puts_the_features_back_in_order():
    # What head 0 hands over are water and deed, head 1 money and thing.
    assert torch.equal(torch.cat([X @ W_VALUE[:2].T, X @ W_VALUE[2:].T], dim=-1) @ W_OUT.T, X)
