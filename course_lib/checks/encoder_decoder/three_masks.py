"""Lesson 09, exercise 2: the masks of the encoder, of the decoder and of the cross-attention."""

import torch
from torch import arange, ones, tensor

from course_lib.checks.exercise import Case, Exercise, Property


def three_masks(source_lengths, target_lengths, source_len, target_len):
    source = _padding(source_lengths, source_len)  # (batch, 1, 1, source_len)
    target = _padding(target_lengths, target_len)  # (batch, 1, 1, target_len)
    return source, target & _triangle(target_len), source


MISTAKES = """
cross_causal: _triangle(target_len), source -> \
        _triangle(target_len), source & _triangle(target_len, source_len)
    Your cross mask is causal: target token i sees the source up to position i only. The source is
    there from the first step on, all of it. Hide its padding and no more.
cross_hides_target_padding: _triangle(target_len), source -> _triangle(target_len), target
    Your cross mask is made of the target's padding. In cross-attention the keys come from the
    source, so a mask of keys needs source_lengths and source_len.
cross_of_target_lengths: _triangle(target_len), source -> \
        _triangle(target_len), _padding(target_lengths, source_len)
    Your cross mask is as wide as the source, with the lengths of the targets. The keys are source
    tokens: source_lengths says which of them are real.
cross_is_decoder_mask: _triangle(target_len), source -> \
        _triangle(target_len), target & _triangle(target_len)
    You hand the decoder's own mask to the cross-attention. There the keys come from the source:
    they have another length, other padding and no future.
cross_queries_too: _triangle(target_len), source -> _triangle(target_len), source & target.mT
    Your cross mask blocks the target's padding as queries too. Their outputs are left out of the
    loss anyway, and rows that may read nothing are a trouble of their own. Mask the keys alone.
cross_expanded: _triangle(target_len), source -> \
        _triangle(target_len), source.expand(-1, 1, target_len, -1)
    Your cross mask is (batch, 1, target_len, source_len), the same row for each query. A 1 for the
    queries says that and fits any number of them, one at a time too.
cross_open: _triangle(target_len), source -> _triangle(target_len), torch.ones_like(source)
    Your cross mask allows everything, so the target reads the padding of the source. The encoder's
    mask does not help there: it hides these keys in the encoder only.
decoder_sees_the_future: target & _triangle(target_len) -> target.expand(-1, 1, target_len, -1)
or: & _triangle(target_len) ->
    Your decoder's mask hides the padding and not the future: position i sees the token that it must
    write.
decoder_reads_padding: target & _triangle(target_len) -> \
        _triangle(target_len).expand(len(target), 1, -1, -1)
or: target & _triangle -> _triangle
    Your decoder's mask hides the future and not the padding of the target. Combine the two: a key
    must be allowed by both.
decoder_either: target & -> target |
    Your decoder may read what either mask allows: padding in the past, and the real tokens of the
    future. Both must allow a key: &.
decoder_padding_of_source: target_lengths, target_len) -> source_lengths, target_len)
    Your decoder's mask has the lengths of the sources. It reads the target, and target_lengths says
    which of its tokens are real.
decoder_strict: _triangle(target_len) -> _triangle(target_len).tril(-1)
    Your decoder's mask hides each token from itself. What stands at position i is the token before
    the one that it must write: it may be seen. And row 0 is left with nothing at all.
decoder_one_ahead: _triangle(target_len) -> _triangle(target_len + 1)[1:, :-1]
    Your decoder's mask lets each position see the next one, and there stands the token that it must
    write. Begin the future at i + 1.
decoder_sees_only_the_future: _triangle(target_len) -> _triangle(target_len).mT
    Your decoder's triangle is turned round: it hides the past and shows the future. Row i may see
    the columns up to i (tril).
decoder_queries_too: target & -> target & target.mT &
    Your decoder's mask blocks the padding as queries: rows that may read nothing. That is a trouble
    of its own. Mask the keys alone; they are last.
decoder_no_heads: target & _triangle(target_len) -> (target & _triangle(target_len)).squeeze(1)
    Your decoder's mask is (batch, target_len, target_len). Keep a 1 where the heads are, or the
    batch will meet them.
encoder_causal: return source -> return source & _triangle(source_len)
    Your encoder's mask is causal. The source is there as a whole, so a token may see the later ones
    too. Hide its padding and no more.
encoder_expanded: return source -> return source.expand(-1, 1, source_len, -1)
    Your encoder's mask is (batch, 1, source_len, source_len), the same row for each query. A 1 for
    the queries says the same.
both_expanded: return source, -> return source.expand(-1, 1, source_len, -1), && \
        _triangle(target_len), source -> _triangle(target_len), source.expand(-1, 1, target_len, -1)
    Your masks of the source repeat the same row for each query. A 1 for the queries says the same,
    in both: (batch, 1, 1, source_len).
order: target & _triangle(target_len), source -> source, target & _triangle(target_len)
    The order is encoder, decoder, cross. Your second and third mask have changed places.
inverted: _each(torch.logical_not)
    Your masks are True where a key is blocked. Here True means may attend.
lengths_exchanged: source_lengths, source_len) -> target_lengths, source_len) && \
        target_lengths, target_len) -> source_lengths, target_len)
    The lengths of sources and targets have changed places.
one_more: source_lengths, source_len) -> source_lengths + 1, source_len) && \
        target_lengths, target_len) -> target_lengths + 1, target_len)
    Your masks allow one token of padding: a sentence of length 3 has the positions 0, 1 and 2, so
    it is < and not <=.
first_for_all: _first_for_all
    All rows have the lengths of the first sentence. Each has its own: compare the positions
    (max_len,) with lengths[:, None] (batch, 1).
additive: _each(_additive)
    Your masks hold 0 and minus infinity: numbers to be added to the scores. Here they are boolean,
    True = may attend.
two_dimensions: lambda *args: tuple(mask.squeeze(2).squeeze(1) for mask in three_masks(*args))
    You left out the 1s. Beside scores (batch, heads, query_len, key_len) your batch would meet the
    queries: put a 1 for the heads, and a 1 for the queries where all of them see the same.
"""


def _padding(lengths, max_len):
    return (arange(max_len) < lengths[:, None])[:, None, None, :]


def _triangle(query_len, key_len=None):
    return ones(query_len, key_len or query_len, dtype=torch.bool).tril()


def _each(change):
    return lambda *args: tuple(change(mask) for mask in three_masks(*args))


def _additive(mask):
    return torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)


def _first_for_all(source_lengths, target_lengths, *sizes):
    first = (lengths[:1].expand(len(lengths)) for lengths in (source_lengths, target_lengths))
    return three_masks(*first, *sizes)


def _cases(*calls):
    """Each call: lengths of the sources and of the targets, and what they are padded to."""

    def cases(generator):
        made = [
            (tensor(one, device="cpu"), tensor(other, device="cpu"), *sizes)
            for one, other, *sizes in calls
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
    lesson="09",
    number=2,
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
            "the same where sources and targets have one size, and for a single sentence",
            1,
            _cases(
                ([2, 3], [3, 1], 3, 3),
                ([1, 3, 2], [3, 1, 2], 3, 3),
                ([2], [3], 4, 5),
                ([3, 2], [1, 2], 5, 3),
            ),
        ),
    ),
    mistakes=MISTAKES,
)
