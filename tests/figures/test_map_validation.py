"""Tokens as they can be seen in a picture, and the room that the sum of a row has."""

import pytest
import torch

from course_lib.validation.labels import spelt_out
from course_lib.validation.maps import checked_weights


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        *(("", "(empty)"), ("a\r\tb", r"a\r\tb"), ("  ", "␣␣"), (None, "None")),
        *((same, same) for same in (" the", "Ġthe", "👩\u200d👧", "שלום")),
        *(("\x00\x1b[1m", r"\x00\x1b[1m"), ("\u2028", r"\u2028")),
        ("\u200b", r"\u200b"),  # a space without width
        ("\ud83d", r"\ud83d"),  # half of an emoji, as a byte-level tokenizer gives it
        ("\uffff", r"\uffff"),  # no XML may hold it
    ],
)
def test_a_token_is_text_that_can_be_seen(token, shown):
    assert spelt_out(token) == shown
    spelt_out(token).encode()


@pytest.mark.parametrize("weight", [0.5, 0.514])
def test_a_row_may_miss_1_by_what_bfloat16_rounds(weight):
    checked_weights(torch.rand(64, 900).softmax(dim=-1).bfloat16(), ("query_len", "key_len"))
    with pytest.raises(ValueError, match="must sum to 1"):
        checked_weights([[weight, 0.49]], ("query_len", "key_len"))
