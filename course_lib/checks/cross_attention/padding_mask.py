"""Lesson 06, exercise 2: which keys of a padded batch are real tokens."""

import torch
from torch import arange, tensor, zeros

from course_lib.attention import masks
from course_lib.checks.exercise import Case, Exercise, Mistake, Property


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


def _without_ones(lengths, max_len):
    return padding_mask(lengths, max_len)[:, 0, 0]


def _cut_from_the_end(lengths, max_len):
    """A loop that blocks the last max_len - length keys of each row: row[-0:] is all of it."""
    mask = torch.ones(len(lengths), 1, 1, max_len, dtype=torch.bool, device=lengths.device)
    for row, length in zip(mask, lengths.tolist(), strict=True):
        row[..., -(max_len - length) :] = False
    return mask


def _at_most(longest):
    return lambda lengths, max_len: padding_mask(lengths, min(max_len, longest))


def _triangle(lengths, max_len):
    return torch.ones(len(lengths), 1, max_len).tril()[:, :, None].bool()


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
        Property("sentences may be long, in whole numbers of any type", 1, _long),
    ),
    mistakes=(
        Mistake(
            "inverted",
            "Your mask is True at the padding. That is the convention of key_padding_mask in "
            "nn.MultiheadAttention; here True means may attend.",
            _where(lambda position, length, max_len: position >= length),
        ),
        Mistake(
            "one_more",
            "Your mask allows one token of padding: a sentence of length 3 has the positions 0, 1 "
            "and 2, so it is < and not <=.",
            _where(lambda position, length, max_len: position <= length),
        ),
        Mistake(
            "one_less",
            "Your mask hides the last token of each sentence: with length 3, position 2 is real.",
            _where(lambda position, length, max_len: position < length - 1),
            also=(_cut_before_the_end,),
        ),
        Mistake(
            "at_the_end",
            "Your mask allows the last tokens of each row. The padding stands behind the sentence, "
            "so the real tokens are the first ones.",
            _where(lambda position, length, max_len: position >= max_len - length),
        ),
        Mistake(
            "longest_for_all",
            "You allow every sentence the length of the longest one. Each has its own: compare the "
            "positions (max_len,) with lengths[:, None] (batch, 1).",
            _where(lambda position, length, max_len: position < length.max()),
        ),
        Mistake(
            "first_for_all",
            "All your rows have the length of the first sentence. Each has its own: compare the "
            "positions (max_len,) with lengths[:, None] (batch, 1).",
            _where(lambda position, length, max_len: position < length[0]),
        ),
        Mistake(
            "sorted",
            "You sort the lengths. Row b then belongs to another sentence: keep their order.",
            lambda lengths, max_len: padding_mask(lengths.sort(descending=True).values, max_len),
            also=(lambda lengths, max_len: padding_mask(lengths.sort().values, max_len),),
        ),
        Mistake(
            "reshaped",
            "Your comparison makes a table (max_len, batch), and reshape cuts it into rows that "
            "are no sentences. Compare with lengths[:, None], or transpose the table.",
            lambda lengths, max_len: (arange(max_len)[:, None] < lengths).reshape(
                len(lengths), 1, 1, max_len
            ),
        ),
        Mistake(
            "triangle",
            "Your mask is a triangle, as for the future: row b allows b + 1 tokens, whatever "
            "lengths says.",
            _triangle,
        ),
        Mistake(
            "last_token_only",
            "Your mask allows only one token of each sentence, its last. It is <, not ==.",
            _where(lambda position, length, max_len: position == length - 1),
        ),
        Mistake(
            "at_least_one",
            "You give a sentence of length 0 one token. What stands there is padding: a length of "
            "0 allows nothing (exercise 5 is about what follows).",
            _where(lambda position, length, max_len: position < length.clamp(min=1)),
        ),
        Mistake(
            "minus_zero",
            "You count what is blocked from the end of the row. For a full sentence that is "
            "row[-0:], and -0 is 0: the whole row. Count from the front: row[length:].",
            _cut_from_the_end,
        ),
        Mistake(
            "cut_at_longest",
            "Your mask is as wide as the longest sentence. It has to fit the batch, which may be "
            "padded further: max_len keys.",
            lambda lengths, max_len: padding_mask(lengths, int(lengths.max())),
        ),
        Mistake(
            "two_dimensions",
            "Your mask is (batch, max_len). Beside scores (batch, heads, query_len, key_len) its "
            "batch would meet the queries: put a 1 for the heads and a 1 for the queries between.",
            _without_ones,
        ),
        Mistake(
            "three_dimensions",
            "Your mask is (batch, 1, max_len): a 1 is missing. Beside scores (batch, heads, "
            "query_len, key_len) its batch would meet the heads.",
            lambda lengths, max_len: _without_ones(lengths, max_len)[:, None],
        ),
        Mistake(
            "keys_not_last",
            "Your mask is (batch, max_len, 1, 1). The positions stand where the heads are; the "
            "keys are last: [:, None, None, :].",
            lambda lengths, max_len: _without_ones(lengths, max_len)[..., None, None],
        ),
        Mistake(
            "batch_not_first",
            "Your mask is (1, batch, 1, max_len): the batch stands where the heads are. It comes "
            "first: [:, None, None, :].",
            lambda lengths, max_len: _without_ones(lengths, max_len)[None, :, None],
        ),
        Mistake(
            "queries_masked",
            "Your mask is (batch, 1, max_len, 1): it blocks the queries at the padding and lets "
            "all others read the padding. The keys stand last.",
            lambda lengths, max_len: padding_mask(lengths, max_len).transpose(-2, -1),
        ),
        Mistake(
            "queries_too",
            "You block the padding as queries too. In cross-attention the queries are another "
            "sequence of another length; and rows without a key are a trouble of their own. Mask "
            "the keys alone.",
            _queries_too,
        ),
        Mistake(
            "expanded",
            "Your mask is (batch, 1, max_len, max_len), the same row for each query. In "
            "cross-attention the queries are another number: a 1 there fits any.",
            lambda lengths, max_len: padding_mask(lengths, max_len).expand(-1, 1, max_len, -1),
        ),
        Mistake(
            "zero_wraps",
            "For a length of 0 you take row -1 of a triangle, which is the last one: an empty "
            "sentence may then be read from end to end.",
            lambda lengths, max_len: padding_mask((lengths - 1) % max_len + 1, max_len),
        ),
        Mistake(
            "table_ends",
            "Your table of positions ends before max_len does. Make as many positions as max_len "
            "says.",
            _at_most(64),
            also=tuple(map(_at_most, (100, 128, 256, 512, 1000, 1024, 2000, 2048))),
        ),
        Mistake(
            "wraps_at_256",
            "Your positions begin again at 256: a byte (uint8) holds numbers up to 255.",
            _where(lambda position, length, max_len: position % 256 < length),
        ),
        Mistake(
            "additive",
            "Your mask holds 0 and minus infinity: numbers to be added to the scores. Here the "
            "mask is boolean, True = may attend.",
            _additive,
        ),
    ),
)
