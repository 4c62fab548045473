"""Lesson 09, exercise 2: the masks of the encoder, of the decoder and of the cross-attention."""

import torch
from torch import arange, ones, tensor

from course_lib.checks.exercise import Case, Exercise, Mistake, Property


def three_masks(source_lengths, target_lengths, source_len, target_len):
    source = _padding(source_lengths, source_len)  # (batch, 1, 1, source_len)
    target = _padding(target_lengths, target_len)  # (batch, 1, 1, target_len)
    return source, target & _triangle(target_len), source


def _padding(lengths, max_len):
    return (arange(max_len) < lengths[:, None])[:, None, None, :]


def _triangle(query_len, key_len=None):
    return ones(query_len, key_len or query_len, dtype=torch.bool).tril()


def _three_masks_with(**changes):
    """Right but for some of the masks, each made of (source, target) padding masks."""

    def version(source_lengths, target_lengths, source_len, target_len):
        source, target = _padding(source_lengths, source_len), _padding(target_lengths, target_len)
        right = (source, target & _triangle(target_len), source)
        return tuple(
            changes[name](source, target) if name in changes else mask
            for name, mask in zip(("encoder", "decoder", "cross"), right, strict=True)
        )

    return version


def _each(change):
    return lambda *args: tuple(change(mask) for mask in three_masks(*args))


def _causal(target, diagonal=0):
    length = target.shape[-1]
    return ones(length, length, dtype=torch.bool).tril(diagonal)


def _additive(mask):
    return torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)


def _first_for_all(source_lengths, target_lengths, *sizes):
    first = (lengths[:1].expand(len(lengths)) for lengths in (source_lengths, target_lengths))
    return three_masks(*first, *sizes)


def _one_more(source_lengths, target_lengths, *sizes):
    return three_masks(source_lengths + 1, target_lengths + 1, *sizes)


def _exchanged(source_lengths, target_lengths, *sizes):
    return three_masks(target_lengths, source_lengths, *sizes)


def _decoder_by_source(source_lengths, target_lengths, source_len, target_len):
    source, _, cross = three_masks(source_lengths, target_lengths, source_len, target_len)
    return source, _padding(source_lengths, target_len) & _triangle(target_len), cross


def _cross_by_target_lengths(source_lengths, target_lengths, source_len, target_len):
    source, target, _ = three_masks(source_lengths, target_lengths, source_len, target_len)
    return source, target, _padding(target_lengths, source_len)


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
    mistakes=(
        Mistake(
            "cross_causal",
            "Your cross mask is causal: target token i sees the source up to position i only. The "
            "source is there from the first step on, all of it. Hide its padding and no more.",
            _three_masks_with(cross=lambda s, t: s & _triangle(t.shape[-1], s.shape[-1])),
        ),
        Mistake(
            "cross_hides_target_padding",
            "Your cross mask is made of the target's padding. In cross-attention the keys come "
            "from the source, so a mask of keys needs source_lengths and source_len.",
            _three_masks_with(cross=lambda s, t: t),
        ),
        Mistake(
            "cross_of_target_lengths",
            "Your cross mask is as wide as the source, with the lengths of the targets. The keys "
            "are source tokens: source_lengths says which of them are real.",
            _cross_by_target_lengths,
        ),
        Mistake(
            "cross_is_decoder_mask",
            "You hand the decoder's own mask to the cross-attention. There the keys come from the "
            "source: they have another length, other padding and no future.",
            _three_masks_with(cross=lambda s, t: t & _causal(t)),
        ),
        Mistake(
            "cross_queries_too",
            "Your cross mask blocks the target's padding as queries too. Their outputs are left "
            "out of the loss anyway, and rows that may read nothing are a trouble of their own. "
            "Mask the keys alone.",
            _three_masks_with(cross=lambda s, t: s & t.mT),
        ),
        Mistake(
            "cross_expanded",
            "Your cross mask is (batch, 1, target_len, source_len), the same row for each query. A "
            "1 for the queries says that and fits any number of them, one at a time too.",
            _three_masks_with(cross=lambda s, t: s.expand(-1, 1, t.shape[-1], -1)),
        ),
        Mistake(
            "cross_open",
            "Your cross mask allows everything, so the target reads the padding of the source. The "
            "encoder's mask does not help there: it hides these keys in the encoder only.",
            _three_masks_with(cross=lambda s, t: torch.ones_like(s)),
        ),
        Mistake(
            "decoder_sees_the_future",
            "Your decoder's mask hides the padding and not the future: position i sees the token "
            "that it must write.",
            _three_masks_with(decoder=lambda s, t: t.expand(-1, 1, t.shape[-1], -1)),
            also=(_three_masks_with(decoder=lambda s, t: t),),
        ),
        Mistake(
            "decoder_reads_padding",
            "Your decoder's mask hides the future and not the padding of the target. Combine the "
            "two: a key must be allowed by both.",
            _three_masks_with(decoder=lambda s, t: _causal(t).expand(len(t), 1, -1, -1)),
            also=(_three_masks_with(decoder=lambda s, t: _causal(t)),),
        ),
        Mistake(
            "decoder_either",
            "Your decoder may read what either mask allows: padding in the past, and the real "
            "tokens of the future. Both must allow a key: &.",
            _three_masks_with(decoder=lambda s, t: t | _causal(t)),
        ),
        Mistake(
            "decoder_padding_of_source",
            "Your decoder's mask has the lengths of the sources. It reads the target, and "
            "target_lengths says which of its tokens are real.",
            _decoder_by_source,
        ),
        Mistake(
            "decoder_strict",
            "Your decoder's mask hides each token from itself. What stands at position i is the "
            "token before the one that it must write: it may be seen. And row 0 is left with "
            "nothing at all.",
            _three_masks_with(decoder=lambda s, t: t & _causal(t, -1)),
        ),
        Mistake(
            "decoder_one_ahead",
            "Your decoder's mask lets each position see the next one, and there stands the token "
            "that it must write. Begin the future at i + 1.",
            _three_masks_with(decoder=lambda s, t: t & _causal(t, 1)),
        ),
        Mistake(
            "decoder_sees_only_the_future",
            "Your decoder's triangle is turned round: it hides the past and shows the future. Row "
            "i may see the columns up to i (tril).",
            _three_masks_with(decoder=lambda s, t: t & _causal(t).mT),
        ),
        Mistake(
            "decoder_queries_too",
            "Your decoder's mask blocks the padding as queries: rows that may read nothing. That "
            "is a trouble of its own. Mask the keys alone; they are last.",
            _three_masks_with(decoder=lambda s, t: t & t.mT & _causal(t)),
        ),
        Mistake(
            "decoder_no_heads",
            "Your decoder's mask is (batch, target_len, target_len). Keep a 1 where the heads are, "
            "or the batch will meet them.",
            _three_masks_with(decoder=lambda s, t: (t & _causal(t)).squeeze(1)),
        ),
        Mistake(
            "encoder_causal",
            "Your encoder's mask is causal. The source is there as a whole, so a token may see the "
            "later ones too. Hide its padding and no more.",
            _three_masks_with(encoder=lambda s, t: s & _causal(s)),
        ),
        Mistake(
            "encoder_expanded",
            "Your encoder's mask is (batch, 1, source_len, source_len), the same row for each "
            "query. A 1 for the queries says the same.",
            _three_masks_with(encoder=lambda s, t: s.expand(-1, 1, s.shape[-1], -1)),
        ),
        Mistake(
            "both_expanded",
            "Your masks of the source repeat the same row for each query. A 1 for the queries says "
            "the same, in both: (batch, 1, 1, source_len).",
            _three_masks_with(
                encoder=lambda s, t: s.expand(-1, 1, s.shape[-1], -1),
                cross=lambda s, t: s.expand(-1, 1, t.shape[-1], -1),
            ),
        ),
        Mistake(
            "order",
            "The order is encoder, decoder, cross. Your second and third mask have changed places.",
            lambda *args: tuple(three_masks(*args)[i] for i in (0, 2, 1)),
        ),
        Mistake(
            "inverted",
            "Your masks are True where a key is blocked. Here True means may attend.",
            _each(torch.logical_not),
        ),
        Mistake(
            "lengths_exchanged",
            "The lengths of sources and targets have changed places.",
            _exchanged,
        ),
        Mistake(
            "one_more",
            "Your masks allow one token of padding: a sentence of length 3 has the positions 0, 1 "
            "and 2, so it is < and not <=.",
            _one_more,
        ),
        Mistake(
            "first_for_all",
            "All rows have the lengths of the first sentence. Each has its own: compare the "
            "positions (max_len,) with lengths[:, None] (batch, 1).",
            _first_for_all,
        ),
        Mistake(
            "additive",
            "Your masks hold 0 and minus infinity: numbers to be added to the scores. Here they "
            "are boolean, True = may attend.",
            _each(_additive),
        ),
        Mistake(
            "two_dimensions",
            "You left out the 1s. Beside scores (batch, heads, query_len, key_len) your batch "
            "would meet the queries: put a 1 for the heads, and a 1 for the queries where all of "
            "them see the same.",
            lambda *args: tuple(mask.squeeze(2).squeeze(1) for mask in three_masks(*args)),
        ),
    ),
)
