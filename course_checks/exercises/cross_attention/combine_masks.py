"""Lesson 06, exercise 3: padding and the future, both blocked."""

import torch
from torch import arange, tensor

from course_checks.exercise import Case, Exercise, Property
from course_checks.exercises.causal_masking.masked_softmax import causal as triangle
from course_checks.exercises.causal_masking.masked_softmax import some
from course_lib.attention import masks


def combine_masks(padding, causal):
    return padding & causal


MISTAKES = """
or_for_and: & -> |
    You allow a key when either mask allows it, so the padding is read where it lies in the past,
    and the future where it is no padding. Both must allow it: &.
exclusive_or: & -> ^
    You allow a key when exactly one of the masks allows it. Both must: &.
equal: & -> ==
    You allow a key where the two masks agree, and they also agree where both block it.
added: padding & causal -> padding.int() + causal.int()
    You add the masks as numbers: 2 where both allow, 1 where one does. As a boolean a 1 is True
    too. Both must allow it: &.
inverted: padding & causal -> ~(padding & causal)
    Your mask is True where a key is blocked. Here True means may attend.
not_padding: padding & -> ~padding &
    You turn the padding mask round with ~. It is True at the real tokens already, so ~padding lets
    the padding be read and hides the sentence.
not_both: padding & causal -> ~padding & ~causal
    You turn both masks round with ~. They are True where a token may attend already, so this allows
    what both of them block.
additive: _additive
    Your mask holds 0 and minus infinity: numbers to be added to the scores. Here the mask is
    boolean, True = may attend.
own_causal: & causal -> & torch.ones_like(causal).tril()
    You make a causal mask of your own and leave the one that is given. It may be another one, with
    a window for instance: use causal.
diagonal_kept: & causal -> & causal | torch.eye(len(causal)).bool()
    You let every token see itself, also where a mask blocks it: the padding may then be read by
    itself. A key is allowed only where both masks allow it.
empty_rows_opened: _empty_rows_opened
    You open the rows in which nothing is allowed. Then such a query reads padding and the future.
    What to do about empty rows is another matter (exercise 5).
heads_expanded: lambda padding, causal: (padding & causal).expand(-1, len(causal), -1, -1)
    Your mask is (batch, length, length, length). Keep the 1 where the heads are: it fits any number
    of them.
padding_alone: & causal -> & (causal | True)
    Your mask ignores the causal one: the future can be read.
causal_alone: return padding -> return (padding | True)
    Your mask ignores the padding: it can be read by the tokens behind it.
causal_returned: padding & ->
    You return the causal mask as it came, (length, length): padding in the past can still be read.
    Both masks must allow a key: &.
not_causal: & causal -> & ~causal
    You turn the causal mask round with ~. It is True where a token may attend already, so ~causal
    allows the future and nothing else.
future_alone: & causal -> & causal.T
    Your causal mask is transposed: each token sees itself and the later ones.
queries_masked: padding & -> padding.transpose(-2, -1) &
    You turned the padding round, (batch, 1, length, 1). That blocks the padding as queries, and as
    keys it can still be read: the keys stand last.
queries_too: padding & -> padding & padding.transpose(-2, -1) &
    You block the padding as queries too. Nobody reads what they find, and rows without any key are
    a trouble of their own (exercise 5): block the keys alone.
first_alone: padding & -> padding[0] &
    Your mask is that of the first sentence, (1, length, length): padding[0] leaves out the others.
    The shapes broadcast as they are.
squeezed: padding & -> padding.squeeze() &
    Without its 1s the padding is (batch, length), and beside (length, length) its sentences meet
    the queries. Leave it as it is, (batch, 1, 1, length).
first_for_all: lambda padding, causal: \
        (padding[:1] & causal).expand(len(padding), *padding.shape[1:2], *causal.shape)
    All sentences get the padding of the first one. Keep the batch in front: (batch, 1, 1, length)
    and (length, length) broadcast as they are.
no_heads: padding & causal -> (padding & causal).squeeze(1)
    Your mask is (batch, length, length). Keep the 1 where the heads are, or the batch will meet
    them.
all_squeezed: padding & causal -> (padding & causal).squeeze()
    You take away every size of 1. The 1 of the heads has to stay, and a batch may hold a single
    sentence: that 1 goes too.
"""


def _additive(padding, causal):
    blocked = ~(padding & causal)
    return torch.zeros(blocked.shape).masked_fill(blocked, -torch.inf)


def _empty_rows_opened(padding, causal):
    both = padding & causal
    return both | ~both.any(dim=-1, keepdim=True)


def _padding(lengths, length):
    """(batch, 1, 1, length)"""
    lengths = tensor(lengths, device="cpu")
    return (arange(length, device="cpu") < lengths[:, None])[:, None, None, :]


def _cases(*pairs):
    return lambda generator: [
        Case((_padding(lengths, length), triangle(length, length))) for lengths, length in pairs
    ]


def _others(generator):
    window = triangle(5, 5) & ~triangle(5, 5).tril(-2)
    return [
        Case((_padding([2, 5], 5), window), label="a causal mask with a window of 2"),
        Case((~_padding([1, 2, 0], 4), triangle(4, 4)), label="padding in front of the sentences"),
        Case((_padding([3, 1], 4), some(generator, 4, 4)), label="a random mask"),
    ]


EXERCISE = Exercise(
    reference=combine_masks,
    returns={"mask": "(batch, 1, length, length)"},
    library=(masks.combine_masks,),
    dtype=torch.bool,
    properties=(
        Property(
            "a key is allowed only where both masks allow it, for each sentence by itself",
            2,
            _cases(([2, 3], 3), ([1, 4, 2], 4)),
        ),
        Property(
            "the same holds with as many sentences as tokens, and for a single one",
            1,
            _cases(([3, 1, 2], 3), ([2], 4)),
        ),
        Property("the same holds for other masks of these shapes", 1, _others),
    ),
    mistakes=MISTAKES,
)
