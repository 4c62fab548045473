"""Lesson 09, exercise 2: the masks of the encoder, of the decoder and of the cross-attention."""

import torch
from torch import arange, ones, tensor

from course_checks.exercise import Case, Exercise, Property


def three_masks(source_lengths, target_lengths, source_len, target_len):
    source = _padding(source_lengths, source_len)  # (batch, 1, 1, source_len)
    target = _padding(target_lengths, target_len)  # (batch, 1, 1, target_len)
    return source, target & _triangle(target_len), source


MISTAKES = """
cross_causal: _triangle(target_len), source -> \
        _triangle(target_len), source & _triangle(target_len, source_len)
    Your cross mask is causal. The source is there from the first step on: hide its padding alone.
cross_hides_target_padding: _triangle(target_len), source -> _triangle(target_len), target
    Your cross mask is made of the target's padding. In cross-attention the keys come from the
    source: take source_lengths and source_len.
cross_of_target_lengths: _triangle(target_len), source -> \
        _triangle(target_len), _padding(target_lengths, source_len)
    Your cross mask has the target's lengths. The keys are source tokens: take source_lengths.
cross_is_decoder_mask: _triangle(target_len), source -> \
        _triangle(target_len), target & _triangle(target_len)
    You hand the decoder's own mask to the cross-attention. There the keys come from the source:
    they have another length, other padding and no future.
cross_queries_too: _triangle(target_len), source -> _triangle(target_len), source & target.mT
    Your cross mask blocks the target's padding as queries too: rows that may read nothing. Mask the
    keys alone.
cross_expanded: _triangle(target_len), source -> \
        _triangle(target_len), source.expand(-1, 1, target_len, -1)
or: return source -> return source.expand(-1, 1, source_len, -1)
or: return source, -> return source.expand(-1, 1, source_len, -1), && \
        _triangle(target_len), source -> _triangle(target_len), source.expand(-1, 1, target_len, -1)
    Your mask of the source repeats the same row for each query. Leave 1 there: (batch, 1, 1,
    source_len).
cross_open: _triangle(target_len), source -> _triangle(target_len), torch.ones_like(source)
    Your cross mask allows everything. The target must not read the padding of the source.
decoder_sees_the_future: target & _triangle(target_len) -> target.expand(-1, 1, target_len, -1)
or: & _triangle(target_len) ->
    Your decoder's mask hides the padding alone. Position i sees the token that it must write.
decoder_reads_padding: target & _triangle(target_len) -> \
        _triangle(target_len).expand(len(target), 1, -1, -1) || target & _triangle -> _triangle
    Your decoder's mask hides the future and not the target's padding. Both must allow a key: &.
decoder_either: target & -> target |
    Your decoder may read what either mask allows. Both must allow a key: &.
decoder_padding_of_source: target_lengths, target_len) -> source_lengths, target_len)
    Your decoder's mask has the lengths of the sources. It reads the target: target_lengths.
decoder_strict: _triangle(target_len) -> _triangle(target_len).tril(-1)
    Your decoder's mask hides each token from itself. Position i holds the token before the one to
    write, which it may see.
decoder_one_ahead: _triangle(target_len) -> _triangle(target_len + 1)[1:, :-1]
    Your decoder's mask lets each position see the next one, which it must write. Hide from i + 1
    on.
decoder_sees_only_the_future: _triangle(target_len) -> _triangle(target_len).mT
    Your decoder's mask hides the past and shows the future. Row i may see the columns up to i
    (tril).
decoder_queries_too: target & -> target & target.mT &
    Your decoder's mask blocks the padding as queries: rows that may read nothing. Mask the keys.
decoder_no_heads: target & _triangle(target_len) -> (target & _triangle(target_len)).squeeze(1)
    Your decoder's mask is (batch, target_len, target_len). Keep a 1 where the heads are.
encoder_causal: return source -> return source & _triangle(source_len)
    Your encoder's mask is causal. The source is there as a whole: hide its padding alone.
order: target & _triangle(target_len), source -> source, target & _triangle(target_len)
    The order is encoder, decoder, cross. Your second and third mask have changed places.
inverted: _each(torch.logical_not)
    Your masks are True where a key is blocked. Here True means may attend.
lengths_exchanged: source_lengths, source_len) -> target_lengths, source_len) && \
        target_lengths, target_len) -> source_lengths, target_len)
or: lambda source, target, *sizes: three_masks(target, source, *reversed(sizes))
    The lengths of sources and targets have changed places.
one_more: source_lengths, source_len) -> source_lengths + 1, source_len) && \
        target_lengths, target_len) -> target_lengths + 1, target_len)
    Your masks allow one token of padding. Length 3 has the positions 0, 1 and 2: < and not <=.
first_for_all: _first_for_all
    All rows have the lengths of the first sentence. Each has its own: compare with lengths[:,
    None].
as_long_as_the_longest: lambda one, other, *_: three_masks(one, other, one.max(), other.max())
    Your masks are as long as the longest sentence. The batch is padded to source_len and
    target_len, which may be more.
additive: _each(lambda mask: torch.zeros(mask.shape).masked_fill(~mask, -torch.inf))
    Your masks hold numbers to be added to the scores. Here they are boolean, True = may attend.
two_dimensions: lambda *args: tuple(mask.squeeze(2).squeeze(1) for mask in three_masks(*args))
    You left out the 1s. Beside scores (batch, heads, query_len, key_len) the batch would meet the
    queries: put 1 where the heads and the queries are.
"""


def _padding(lengths, max_len):
    return (arange(max_len) < lengths[:, None])[:, None, None, :]


def _triangle(query_len, key_len=None):
    return ones(query_len, key_len or query_len, dtype=torch.bool).tril()


def _each(change):
    return lambda *args: tuple(change(mask) for mask in three_masks(*args))


def _first_for_all(source_lengths, target_lengths, *sizes):
    first = (lengths[:1].expand(len(lengths)) for lengths in (source_lengths, target_lengths))
    return three_masks(*first, *sizes)


def _cases(*calls):
    """Each call: lengths of the sources and of the targets, and what they are padded to."""

    def cases(generator):
        made = [
            (tensor(source, device="cpu"), tensor(target, device="cpu"), *sizes)
            for source, target, *sizes in calls
        ]
        return [Case(args) for args in made]

    return cases


def _drawn(generator):
    """Six sentences of drawn lengths, the first source and target of less than full length."""
    sizes = torch.randint(4, 8, (2,), generator=generator, device="cpu").tolist()
    sizes[1] += sizes[0] == sizes[1]
    lengths = [
        1 + torch.randint(size, (6,), generator=generator, device="cpu").clamp(max=size - 1)
        for size in sizes
    ]
    for each, size in zip(lengths, sizes, strict=True):
        each[0] = size - 2
    return [Case((*lengths, *sizes))]


def _small(*more):
    first = ([2, 4, 1], [1, 3, 2], 4, 3)
    return lambda generator: [*_cases(first, *more)(generator), *_drawn(generator)]


EXERCISE = Exercise(
    reference=three_masks,
    returns={
        "encoder": "(batch, 1, 1, source_len)",
        "decoder": "(batch, 1, target_len, target_len)",
        "cross": "(batch, 1, 1, source_len)",
    },
    dtype=torch.bool,
    properties=(
        Property(
            "in the encoder, the padding of the source is hidden, and nothing else",
            1,
            _small(),
            only="encoder",
        ),
        Property(
            "in the decoder, the future is hidden, and the padding of the target",
            2,
            _small(),
            only="decoder",
        ),
        Property(
            "in the cross-attention, the padding of the source is hidden from all target tokens",
            2,
            _small(),
            only="cross",
        ),
        Property(
            "the same where both have one size, for a single sentence, and for one without tokens",
            1,
            _cases(
                ([2, 3], [3, 1], 3, 3),
                ([1, 3, 2], [3, 1, 2], 3, 3),
                ([2], [3], 4, 5),
                ([3, 0], [0, 2], 5, 3),
            ),
        ),
    ),
    mistakes=MISTAKES,
)
