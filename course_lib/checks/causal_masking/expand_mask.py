"""Lesson 05, exercise 5: one mask per sentence, and many heads."""

import torch

from course_lib.checks.causal_masking.masked_softmax import some
from course_lib.checks.exercise import Case, Exercise, Mistake, Property


def expand_mask(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.unsqueeze(1)
    return mask.expand(batch, heads, *mask.shape[-2:])


def _for_three(change):
    """A version that is right but for masks (batch, query_len, key_len)."""

    def version(mask, batch, heads):
        return expand_mask(change(mask, heads) if mask.dim() == 3 else mask, batch, heads)

    return version


def _always_unsqueezed(mask, batch, heads):
    return mask.unsqueeze(1).expand(batch, heads, *mask.shape[-2:])


def _always_unsqueezed_first(mask, batch, heads):
    mask = mask.unsqueeze(1)
    return mask.expand(batch, heads, *mask.shape[-2:])


def _repeated(mask, heads):
    """In the order sentence 0, sentence 1, ..., sentence 0, ...: as many as there are heads."""
    return mask.repeat(heads, 1, 1).view(-1, heads, *mask.shape[1:])


def _heads_first(mask, batch, heads):
    return expand_mask(mask, batch, heads).transpose(0, 1)


def _with_ones(mask, batch, heads):
    """Four dimensions, a 1 for all that is served alike."""
    places = {2: (None, None), 3: (slice(None), None), 4: ()}
    return mask[places[mask.dim()]]


def _masks(*sizes):
    """(shape of the mask, batch, heads) each."""
    return lambda generator: [
        Case((some(generator, *shape), batch, heads)) for shape, batch, heads in sizes
    ]


def _by_first_size(mask, batch, heads):
    is_per_sentence = mask.dim() < 4 and mask.shape[0] == batch
    mask = mask[:, None] if is_per_sentence else mask
    return mask.expand(batch, heads, *mask.shape[-2:])


def _per_head_where_it_fits(mask, heads):
    return mask[None] if len(mask) == heads else mask[:, None]


def _two_unsqueezed(mask, batch, heads):
    mask = mask.unsqueeze(1) if mask.dim() < 4 else mask
    return mask.expand(batch, heads, *mask.shape[-2:])


def _four_as_it_is(mask, batch, heads):
    return mask if mask.dim() == 4 else expand_mask(mask, batch, heads)


def _four_repeated(mask, batch, heads):
    return mask.repeat(batch, heads, 1, 1) if mask.dim() == 4 else expand_mask(mask, batch, heads)


def _first_head(mask, batch, heads):
    return expand_mask(mask[:, :1] if mask.dim() == 4 else mask, batch, heads)


EXERCISE = Exercise(
    lesson="05",
    number=5,
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
    mistakes=(
        Mistake(
            "aligned_to_heads",
            "Shapes are matched from the right, so the batch of your mask meets the heads of the "
            "scores. Where the two numbers are equal nothing complains: head i of every sentence "
            "gets the mask of sentence i. Put a 1 where the heads are.",
            _for_three(lambda mask, heads: mask.unsqueeze(0)),
        ),
        Mistake(
            "not_expanded",
            "You put the 1 in the right place and leave it there. The scores would take that; here "
            "the whole shape is asked for: expand(batch, heads, ...) copies along every 1.",
            lambda mask, batch, heads: mask.unsqueeze(1) if mask.dim() == 3 else mask,
            also=(_with_ones,),
        ),
        Mistake(
            "inverted",
            "You turn True and False round. Only the shape should change: True stays may attend.",
            lambda mask, batch, heads: ~expand_mask(mask, batch, heads),
        ),
        Mistake(
            "heads_behind_queries",
            "You put the 1 for the heads behind the queries: it belongs behind the batch, "
            "(batch, 1, query_len, key_len).",
            _for_three(lambda mask, heads: mask.unsqueeze(2)),
        ),
        Mistake(
            "repeated",
            "You repeat the masks in the order 0, 1, ..., 0, 1, ... and cut that into groups of "
            "one per head, so the heads of a sentence get the masks of different sentences. "
            "repeat_interleave keeps them together; unsqueeze and expand copy nothing.",
            _for_three(_repeated),
        ),
        Mistake(
            "first_sentence_only",
            "Every sentence gets the mask of the first one. Each should keep its own.",
            _for_three(lambda mask, heads: mask[:1]),
        ),
        Mistake(
            "merged",
            "You merge the masks of all sentences into one. Each sentence should keep its own.",
            _for_three(lambda mask, heads: mask.all(dim=0)),
        ),
        Mistake(
            "always_unsqueezed",
            "You insert a dimension into every mask. (query_len, key_len) has no batch to be kept "
            "apart, and a mask of four dimensions is complete: only three dimensions lack one.",
            _always_unsqueezed,
            also=(_always_unsqueezed_first,),
        ),
        Mistake(
            "heads_first",
            "Your first two dimensions are exchanged: the batch comes first, then the heads.",
            _heads_first,
        ),
        Mistake(
            "by_first_size",
            "You go by the first size of the mask. A mask (query_len, key_len) may have as many "
            "queries as there are sentences: ask how many dimensions it has.",
            _by_first_size,
        ),
        Mistake(
            "per_head_where_it_fits",
            "You take a mask of three dimensions for one mask per head where its first size is the "
            "number of heads. Three dimensions always mean one mask per sentence.",
            _for_three(_per_head_where_it_fits),
        ),
        Mistake(
            "two_unsqueezed",
            "You insert a dimension into masks of two dimensions as well. (query_len, key_len) "
            "meets the scores from the right by itself: only three dimensions lack one.",
            _two_unsqueezed,
        ),
        Mistake(
            "four_as_it_is",
            "You hand back a mask of four dimensions as it is. A 1 in its shape should be copied "
            "too: expand(batch, heads, ...).",
            _four_as_it_is,
        ),
        Mistake(
            "four_repeated",
            "You repeat a mask of four dimensions. It has its sentences and heads already, and "
            "gets too many: expand copies along a 1 only.",
            _four_repeated,
        ),
        Mistake(
            "first_head_only",
            "Every head gets the mask of head 0. A mask of four dimensions may have one for each "
            "head.",
            _first_head,
        ),
        Mistake(
            "example_sizes",
            "You expand to two sentences and two heads in every case. How many there are is batch "
            "and heads.",
            lambda mask, batch, heads: expand_mask(mask, 2, 2),
        ),
        Mistake(
            "transposed",
            "You exchange the queries with the keys. A row of the mask stays a query.",
            lambda mask, batch, heads: expand_mask(mask, batch, heads).transpose(-2, -1),
        ),
    ),
)
