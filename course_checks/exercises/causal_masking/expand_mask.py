"""Lesson 05, exercise 5: one mask per sentence, and many heads."""

import torch

from course_checks.exercise import Case, Exercise, Property
from course_checks.exercises.causal_masking.masked_softmax import some


def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.unsqueeze(1)
    return mask.expand(batch, heads, *mask.shape[-2:])


MISTAKES = """
aligned_to_heads: unsqueeze(1) -> unsqueeze(0)
    Shapes are matched from the right, so the batch of your mask meets the heads of the scores.
    Where the two numbers are equal nothing complains: head i of every sentence gets the mask of
    sentence i. Put a 1 where the heads are.
not_expanded: .expand(batch, heads, *mask.shape[-2:]) ->
or: _with_ones
    You put the 1 in the right place and leave it there. The scores would take that; here the whole
    shape is asked for: expand(batch, heads, ...) copies along every 1.
inverted: return mask -> return ~mask
    You turn True and False round. Only the shape should change: True stays may attend.
heads_behind_queries: unsqueeze(1) -> unsqueeze(2)
    You put the 1 for the heads behind the queries: it belongs behind the batch, (batch, 1,
    query_len, key_len).
repeated: mask.unsqueeze(1) -> _repeated(mask, heads)
    You repeat the masks in the order 0, 1, ..., 0, 1, ... and cut that into groups of one per head,
    so the heads of a sentence get the masks of different sentences. repeat_interleave keeps them
    together; unsqueeze and expand copy nothing.
first_sentence_only: mask.unsqueeze(1) -> mask[:1]
    Every sentence gets the mask of the first one. Each should keep its own.
merged: mask.unsqueeze(1) -> mask.all(dim=0)
    You merge the masks of all sentences into one. Each sentence should keep its own.
always_unsqueezed: lambda mask, batch, heads: \
        mask.unsqueeze(1).expand(batch, heads, *mask.shape[-2:])
or: mask.dim() == 3 -> True
    You insert a dimension into every mask. (query_len, key_len) has no batch to be kept apart, and
    a mask of four dimensions is complete: only three dimensions lack one.
heads_first: mask.shape[-2:]) -> mask.shape[-2:]).transpose(0, 1)
    Your first two dimensions are exchanged: the batch comes first, then the heads.
by_first_size: mask.dim() == 3 -> mask.dim() < 4 and mask.shape[0] == batch
    You go by the first size of the mask. A mask (query_len, key_len) may have as many queries as
    there are sentences: ask how many dimensions it has.
per_head_where_it_fits: unsqueeze(1) -> unsqueeze(0 if len(mask) == heads else 1)
    You take a mask of three dimensions for one mask per head where its first size is the number of
    heads. Three dimensions always mean one mask per sentence.
two_unsqueezed: mask.dim() == 3 -> mask.dim() < 4
    You insert a dimension into masks of two dimensions as well. (query_len, key_len) meets the
    scores from the right by itself: only three dimensions lack one.
four_as_it_is: lambda mask, batch, heads: \
        mask if mask.dim() == 4 else expand_mask(mask, batch, heads)
    You hand back a mask of four dimensions as it is. A 1 in its shape should be copied too:
    expand(batch, heads, ...).
four_repeated: lambda mask, batch, heads: \
        mask.repeat(batch, heads, 1, 1) if mask.dim() == 4 else expand_mask(mask, batch, heads)
    You repeat a mask of four dimensions. It has its sentences and heads already, and gets too many:
    expand copies along a 1 only.
first_head_only: lambda mask, batch, heads: \
        expand_mask(mask[:, :1] if mask.dim() == 4 else mask, batch, heads)
    Every head gets the mask of head 0. A mask of four dimensions may have one for each head.
example_sizes: expand(batch, heads, -> expand(2, 2,
    You expand to two sentences and two heads in every case. How many there are is batch and heads.
transposed: mask.shape[-2:]) -> mask.shape[-2:]).transpose(-2, -1)
    You exchange the queries with the keys. A row of the mask stays a query.
"""


def _repeated(mask, heads):
    """In the order sentence 0, sentence 1, ..., sentence 0, ...: as many as there are heads."""
    return mask.repeat(heads, 1, 1).view(-1, heads, *mask.shape[1:])


def _with_ones(mask, batch, heads):
    """Four dimensions, a 1 for all that is served alike."""
    places = {2: (None, None), 3: (slice(None), None), 4: ()}
    return mask[places[mask.dim()]]


def _masks(*sizes):
    """(shape of the mask, batch, heads) each."""
    return lambda generator: [
        Case((some(generator, *shape), batch, heads)) for shape, batch, heads in sizes
    ]


EXERCISE = Exercise(
    reference=expand_mask,
    returns={"mask": "(batch, heads, query_len, key_len)"},
    dtype=torch.bool,
    properties=(
        Property(
            "a mask per sentence serves all heads of its sentence, also when batch equals heads",
            2,
            _masks(((2, 3, 4), 2, 2), ((2, 3, 3), 2, 3), ((3, 4, 4), 3, 3), ((3, 3, 3), 3, 3)),
        ),
        Property(
            "a mask (query_len, key_len) serves all sentences and heads",
            1,
            _masks(((3, 4), 2, 2), ((3, 3), 2, 3), ((2, 3), 3, 2), ((2, 3), 2, 2), ((3, 3), 3, 3)),
        ),
        Property(
            "a mask per sentence and head stays as it is, and a 1 in its shape serves all",
            1,
            _masks(((2, 2, 3, 4), 2, 2), ((1, 3, 3, 3), 3, 3), ((3, 1, 2, 4), 3, 2)),
        ),
        Property(
            "the same holds for one sentence and for one head",
            1,
            _masks(((1, 3, 3), 1, 3), ((2, 3, 3), 2, 1), ((1, 3, 4), 1, 1)),
        ),
    ),
    mistakes=MISTAKES,
)
