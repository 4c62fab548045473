"""Lesson 06, exercise 2: which keys of a padded batch are real tokens."""

import torch
from torch import arange, tensor, zeros

from course_lib import masks
from course_lib.checks.exercise import Case, Exercise, Mutant, Property


def padding_mask(lengths, max_len):
    is_real = arange(max_len) < lengths[:, None]  # (batch, max_len)
    return is_real[:, None, None, :]


def _where(condition):
    """A version that is True where ``condition(position, length, max_len)`` holds."""

    def version(lengths, max_len):
        is_real = condition(arange(max_len), lengths[:, None], max_len)
        return is_real.expand(len(lengths), max_len)[:, None, None, :]

    return version


def _additive(lengths, max_len):
    blocked = ~padding_mask(lengths, max_len)
    return zeros(blocked.shape).masked_fill(blocked, -torch.inf)


def _queries_too(lengths, max_len):
    keys = padding_mask(lengths, max_len)
    return keys & keys.transpose(-2, -1)


def _cases(*pairs):
    return lambda generator: [
        Case((tensor(lengths, device="cpu"), max_len)) for lengths, max_len in pairs
    ]


def _drawn(generator):
    max_len = int(torch.randint(5, 8, (), generator=generator, device="cpu"))
    lengths = torch.randperm(max_len - 2, generator=generator, device="cpu")[:3] + 1
    lengths = torch.cat([lengths, tensor([max_len], device="cpu")])  # (4,)
    return [*_cases(([2, 3], 3), ([1, 4, 2], 4))(generator), Case((lengths, max_len))]


EXERCISE = Exercise(
    lesson="06",
    number=2,
    reference=padding_mask,
    returns={"mask": "(batch, 1, 1, max_len)"},
    library=(masks.padding_mask,),
    dtype=torch.bool,
    properties=(
        Property("each sentence may be read up to its own length and no further", 2, _drawn),
        Property(
            "the batch may be padded beyond its longest sentence", 1, _cases(([2, 1], 4), ([3], 5))
        ),
        Property(
            "a length of 0 allows nothing, a length of max_len everything",
            1,
            _cases(([0, 3], 3), ([4, 0, 2], 4)),
        ),
    ),
    mutants=(
        Mutant(
            "inverted",
            "Your mask is True at the padding. That is the convention of key_padding_mask in "
            "nn.MultiheadAttention; here True means may attend.",
            _where(lambda position, length, max_len: position >= length),
        ),
        Mutant(
            "one_more",
            "Your mask allows one token of padding: a sentence of length 3 has the positions 0, 1 "
            "and 2, so it is < and not <=.",
            _where(lambda position, length, max_len: position <= length),
        ),
        Mutant(
            "one_less",
            "Your mask hides the last token of each sentence: with length 3, position 2 is real.",
            _where(lambda position, length, max_len: position < length - 1),
        ),
        Mutant(
            "at_the_end",
            "Your mask allows the last tokens of each row. The padding stands behind the sentence, "
            "so the real tokens are the first ones.",
            _where(lambda position, length, max_len: position >= max_len - length),
        ),
        Mutant(
            "longest_for_all",
            "You allow every sentence the length of the longest one. Each has its own: compare the "
            "positions (max_len,) with lengths[:, None] (batch, 1).",
            _where(lambda position, length, max_len: position < length.max()),
        ),
        Mutant(
            "cut_at_longest",
            "Your mask is as wide as the longest sentence. It has to fit the batch, which may be "
            "padded further: max_len keys.",
            lambda lengths, max_len: padding_mask(lengths, int(lengths.max())),
        ),
        Mutant(
            "two_dimensions",
            "Your mask is (batch, max_len). Beside scores (batch, heads, query_len, key_len) its "
            "batch would meet the queries: put a 1 for the heads and a 1 for the queries between.",
            lambda lengths, max_len: padding_mask(lengths, max_len)[:, 0, 0],
        ),
        Mutant(
            "queries_masked",
            "Your mask is (batch, 1, max_len, 1): it blocks the queries at the padding and lets "
            "all others read the padding. The keys stand last.",
            lambda lengths, max_len: padding_mask(lengths, max_len).transpose(-2, -1),
        ),
        Mutant(
            "queries_too",
            "You block the padding as queries too. In cross-attention the queries are another "
            "sequence of another length; and rows without a key are a trouble of their own. Mask "
            "the keys alone.",
            _queries_too,
        ),
        Mutant(
            "expanded",
            "Your mask is (batch, 1, max_len, max_len), the same row for each query. In "
            "cross-attention the queries are another number: a 1 there fits any.",
            lambda lengths, max_len: padding_mask(lengths, max_len).expand(-1, 1, max_len, -1),
        ),
        Mutant(
            "zero_wraps",
            "For a length of 0 you take row -1 of a triangle, which is the last one: an empty "
            "sentence may then be read from end to end.",
            lambda lengths, max_len: padding_mask((lengths - 1) % max_len + 1, max_len),
        ),
        Mutant(
            "additive",
            "Your mask holds 0 and minus infinity: numbers to be added to the scores. Here the "
            "mask is boolean, True = may attend.",
            _additive,
        ),
    ),
)
