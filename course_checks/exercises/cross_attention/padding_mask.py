"""Lesson 06, exercise 2: which keys of a padded batch are real tokens."""

import torch
from torch import arange, tensor, zeros

from course_checks.exercise import Case, Exercise, Property
from course_lib.attention import masks


def padding_mask(lengths, max_len):
    is_real = arange(max_len) < lengths[:, None]  # (batch, max_len)
    return is_real[:, None, None, :]


MISTAKES = """
inverted: < -> >=
    Your mask is True at the padding. That is the convention of key_padding_mask in
    nn.MultiheadAttention; here True means may attend.
one_more: < -> <=
    Your mask allows one token of padding: a sentence of length 3 has the positions 0, 1 and 2, so
    it is < and not <=.
one_less: lengths[:, None] -> lengths[:, None] - 1
or: _cut_before_the_end
    Your mask hides the last token of each sentence: with length 3, position 2 is real.
at_the_end: < lengths[:, None] -> >= max_len - lengths[:, None]
    Your mask allows the last tokens of each row. The padding stands behind the sentence, so the
    real tokens are the first ones.
one_length_for_all: lengths[:, None] -> lengths[:, None] * 0 + lengths[0] || \
        lengths[:, None] * 0 + lengths.max()
    All your rows have one length, that of the first sentence or of the longest. Each has its own:
    compare the positions (max_len,) with lengths[:, None] (batch, 1).
sorted: lambda lengths, max_len: padding_mask(lengths.sort(descending=True).values, max_len)
or: lambda lengths, max_len: padding_mask(lengths.sort().values, max_len)
    You sort the lengths. Row b then belongs to another sentence: keep their order.
reshaped: arange(max_len) < lengths[:, None] -> \
        (arange(max_len)[:, None] < lengths).reshape(len(lengths), -1)
    Your comparison makes a table (max_len, batch), and reshape cuts it into rows that are no
    sentences. Compare with lengths[:, None], or transpose the table.
last_token_only: < lengths[:, None] -> == lengths[:, None] - 1
    Your mask allows only one token of each sentence, its last. It is <, not ==.
at_least_one: lengths[:, None] -> lengths[:, None].clamp(min=1)
    You give a sentence of length 0 one token. What stands there is padding: a length of 0 allows
    nothing (exercise 5 is about what follows).
minus_zero: _cut_from_the_end
    You count what is blocked from the end of the row. For a full sentence that is row[-0:], and -0
    is 0: the whole row. Count from the front: row[length:].
allowed_behind_the_longest: arange(max_len) < lengths[:, None] -> \
        (arange(max_len) < lengths[:, None]) | (arange(max_len) >= lengths.max())
    Your mask allows what lies behind the longest sentence of the batch. That is padding for all.
cut_at_longest: arange(max_len) -> arange(int(lengths.max()))
    Your mask is as wide as the longest sentence. It has to fit the batch, which may be padded
    further: max_len keys.
two_dimensions: is_real[:, None, None, :] -> is_real
    Your mask is (batch, max_len). Beside scores (batch, heads, query_len, key_len) its batch would
    meet the queries: put a 1 for the heads and a 1 for the queries between.
three_dimensions: [:, None, None, :] -> [:, None, :]
    Your mask is (batch, 1, max_len): a 1 is missing. Beside scores (batch, heads, query_len,
    key_len) its batch would meet the heads.
keys_not_last: [:, None, None, :] -> [:, :, None, None]
    Your mask is (batch, max_len, 1, 1). The positions stand where the heads are; the keys are last:
    [:, None, None, :].
batch_not_first: [:, None, None, :] -> [None, :, None, :]
    Your mask is (1, batch, 1, max_len): the batch stands where the heads are. It comes first: [:,
    None, None, :].
queries_masked: [:, None, None, :] -> [:, None, :, None]
    Your mask is (batch, 1, max_len, 1): it blocks the queries at the padding and lets all others
    read the padding. The keys stand last.
queries_too: is_real[:, None, None, :] -> is_real[:, None, None, :] & is_real[:, None, :, None]
    You block the padding as queries too. In cross-attention the queries are another sequence of
    another length; and rows without a key are a trouble of their own. Mask the keys alone.
expanded: [:, None, None, :] -> [:, None, None, :].expand(-1, 1, max_len, -1)
    Your mask is (batch, 1, max_len, max_len), the same row for each query. In cross-attention the
    queries are another number: a 1 there fits any.
zero_wraps: lengths[:, None] -> (lengths[:, None] - 1) % max_len + 1
    For a length of 0 you take row -1 of a triangle, which is the last one: an empty sentence may
    then be read from end to end.
table_ends: arange(max_len) -> arange(min(max_len, 64)) || arange(min(max_len, 100)) || \
        arange(min(max_len, 128)) || arange(min(max_len, 256)) || arange(min(max_len, 512)) || \
        arange(min(max_len, 1000)) || arange(min(max_len, 1024)) || \
        arange(min(max_len, 2000)) || arange(min(max_len, 2048))
    Your table of positions ends before max_len does. Make as many positions as max_len says.
wraps_at_256: arange(max_len) -> arange(max_len) % 256
    Your positions begin again at 256: a byte (uint8) holds numbers up to 255.
additive: _additive
    Your mask holds 0 and minus infinity: numbers to be added to the scores. Here the mask is
    boolean, True = may attend.
"""


def _additive(lengths, max_len):
    blocked = ~padding_mask(lengths, max_len)
    return zeros(blocked.shape).masked_fill(blocked, -torch.inf)


def _cases(*pairs):
    return lambda generator: [
        Case((tensor(lengths, device="cpu"), max_len)) for lengths, max_len in pairs
    ]


def _cut_from_the_end(lengths, max_len):
    """A loop that blocks the last max_len - length keys of each row: row[-0:] is all of it."""
    mask = torch.ones(len(lengths), 1, 1, max_len, dtype=torch.bool, device=lengths.device)
    for row, length in zip(mask, lengths.tolist(), strict=True):
        row[..., -(max_len - length) :] = False
    return mask


def _cut_before_the_end(lengths, max_len):
    """A loop that blocks from length - 1 on, which is the last key for a length of 0."""
    mask = torch.ones(len(lengths), 1, 1, max_len, dtype=torch.bool, device=lengths.device)
    for row, length in zip(mask, lengths.tolist(), strict=True):
        row[..., length - 1 :] = False
    return mask


def _drawn(generator):
    max_len = int(torch.randint(5, 8, (), generator=generator, device="cpu"))
    lengths = torch.randperm(max_len - 2, generator=generator, device="cpu")[:3] + 1
    lengths = torch.cat([lengths, tensor([max_len], device="cpu")])  # (4,)
    return [*_cases(([2, 3], 3), ([1, 4, 2], 4))(generator), Case((lengths, max_len))]


def _long(generator):
    """More than 64, 256 or 2048 positions; lengths of 64 bits and of 32."""
    lengths = 257 + torch.randint(40, (2,), generator=generator, device="cpu")
    return [Case((lengths, 300)), Case((lengths[:1] + 1800, 2200)), Case((lengths.int(), 299))]


EXERCISE = Exercise(
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
        Property("sentences may be long, in whole numbers of any type", 1, _long),
    ),
    mistakes=MISTAKES,
)
