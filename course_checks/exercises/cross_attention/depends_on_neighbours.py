"""Lesson 06, exercise 6: a test for models whose answer depends on the company it is given in."""

import torch
from torch import allclose, randn_like

from course_checks.exercise import Exercise, Property
from course_checks.exercises.cross_attention.batch_cases import neighbours, padding, rounding, small


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)  # (batch, d_model)
    for b, length in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])  # (1, d_model)
        if not allclose(alone[0], together[b], atol=1e-5):
            return True
    return False


MISTAKES = """
never_depends: lambda model, source, lengths: False
    Your test says False to every model. Does it compare two different things: a sentence in the
    batch, and the same sentence alone and without its padding?
always_depends: lambda model, source, lengths: True
    Your test says True to every model. Does it compare the same sentence both times, its own row of
    the answers, with its own length?
inverted: lambda *args: not depends_on_neighbours(*args)
    Your test is right the wrong way round: True means that an answer does depend on the other
    sentences or on the padding.
keeps_padding: _test(trim=False)
    You ask for each sentence alone, but with its padding. A model that reads the padding gives the
    same answer both times: cut the sentence off at its length.
more_padding: _moves(lambda source, lengths: torch.cat([source, torch.randn_like(source)], dim=1))
    You add padding to the whole batch. That finds what reads the padding, and not a batch whose
    sentences meet: ask for each sentence alone.
other_padding: _moves(_other_padding)
    You put other numbers in the padding. A model may depend on how much there is, whatever it
    holds, or on the other sentences: ask for each sentence alone.
other_neighbours: _other_neighbours
    You put other sentences beside each one and leave its padding. A model that reads its own
    padding gives the same answer both times: ask for the sentence alone, cut off at its length.
shuffled: _shuffled
    You change the order of the sentences. A mean over the batch does not depend on that, nor does
    the padding: ask for each sentence alone.
first_only: _test(sentences=lambda count: [0])
    Of this batch you test the first sentence only, the one without padding. Another may be the one
    that hears its neighbours: test each.
shortest_only: _test(sentences=lambda count: [1])
    You test the shortest sentence only. It has the most padding, and another may be the one that
    hears its neighbours: test each.
last_only: _test(sentences=lambda count: [count - 1])
    You test the last sentence only. Another may be the one that hears its neighbours: test each.
    (Does a return stand inside the loop?)
skips_full: _test(sentences=lambda count: range(1, count))
    You leave out sentences without padding. They can hear their neighbours as well: test each.
asked_twice: _moves(lambda source, lengths: source)
    You ask the model the same twice: all sentences together, with their padding. Ask for each
    sentence alone, cut off at its length.
cut_at_longest: _cut_at_longest
    You cut the batch at its longest sentence and ask for all sentences at once. Where one has no
    padding nothing changes at all: ask for each sentence alone.
all_must_move: _test(verdict=all)
    Your test says True only if every sentence's answer moves. One that does is enough.
not_a_number: _test(same=_not_close(1e-05)) || _test(same=_nan_forgiven)
    Your test takes NaN for an equal answer: (a - b).abs().max() > 1e-5 is False of NaN, nan_to_num
    hides it, Python's max() drops it. NaN is another answer: use allclose.
first_feature: _test(same=_of_feature(0))
    You compare the first feature of the answers only. Another may be the one that hears the
    neighbours: compare all.
sums: _test(same=lambda a, b: allclose(a.sum(), b.sum(), atol=1e-05))
or: _test(same=lambda a, b: allclose(a.sum(), b.sum(), atol=0.0001))
    You compare the sums of the features. What is added to one and taken from another stays unseen:
    compare feature by feature.
mean_over_batch: _mean_over_batch
    You compare the means over all sentences. What one hears from another may cancel out in them:
    compare sentence by sentence.
too_loose: _test(same=lambda a, b: allclose(a, b, atol=0.1))
or: _test(same=lambda a, b: allclose(a, b, atol=0.5))
or: _test(same=lambda a, b: allclose(a, b, atol=0.01))
    You allow too large a difference, and one of 0.006 passes. Rounding in float32 needs about 1e-5.
exact: _test(same=lambda a, b: bool((a == b).all()))
    You ask for equal numbers and allow for no rounding, or hardly any. Sums over another number of
    zeros round a little otherwise: allow about 1e-5.
default_tolerance: _test(same=allclose)
    Your tolerance is too small: near 0, allclose forgives only 1e-8 unless it is told more. Give it
    atol=1e-5.
"""


def _test(sentences=range, trim=True, verdict=any, same=lambda a, b: allclose(a, b, atol=1e-5)):
    """Each sentence alone: which ones, with or without its padding, and what counts as equal."""

    def test(model, source, lengths):
        together, moved = model(source, lengths), []
        for b in sentences(len(source)):
            end = lengths[b] if trim else source.shape[1]
            alone = model(source[b : b + 1, :end], lengths[b : b + 1])
            moved.append(not same(alone[0], together[b]))
        return verdict(moved)

    return test


def _not_close(limit):
    """The difference is compared with a limit by >, which is False of NaN."""
    return lambda a, b: not bool((a - b).abs().max() > limit)


def _nan_forgiven(a, b):
    a, b = a.nan_to_num(0.0), b.nan_to_num(0.0)
    return bool((torch.isclose(a, b, atol=1e-5) | (b == 0)).all())


def _of_feature(feature):
    return lambda a, b: allclose(a[feature], b[feature], atol=1e-5)


def _mean_over_batch(model, source, lengths):
    pairs = enumerate(lengths.tolist())
    alone = [model(source[b : b + 1, :end], lengths[b : b + 1])[0] for b, end in pairs]
    together = model(source, lengths)
    return not allclose(torch.stack(alone).mean(dim=0), together.mean(dim=0), atol=1e-5)


def _moves(change):
    """A test that compares the batch with ``change(source, lengths)`` of it."""

    def test(model, source, lengths):
        changed = model(change(source, lengths), lengths)
        return not allclose(changed, model(source, lengths), atol=1e-5)

    return test


def _other_padding(source, lengths):
    is_real = torch.arange(source.shape[1]) < lengths[:, None]
    return torch.where(is_real[..., None], source, randn_like(source))


def _other_neighbours(model, source, lengths):
    before = model(source, lengths)
    for b in range(len(source)):
        changed = randn_like(source)
        changed[b] = source[b]
        if not allclose(model(changed, lengths)[b], before[b], atol=1e-5):
            return True
    return False


def _shuffled(model, source, lengths):
    turned = model(source.flip(0), lengths.flip(0)).flip(0)
    return not allclose(turned, model(source, lengths), atol=1e-5)


def _cut_at_longest(model, source, lengths):
    shorter = model(source[:, : lengths.max()], lengths)
    return not allclose(shorter, model(source, lengths), atol=1e-5)


EXERCISE = Exercise(
    reference=depends_on_neighbours,
    returns={"its answer": "True or False"},
    kind="bool",
    properties=(
        Property("it tells models that read no padding from models that do", 2, padding),
        Property("it also finds models in which the sentences of a batch meet", 1, neighbours),
        Property("it also finds it where little is said, or to one sentence only", 1, small),
        Property("it is not misled by rounding", 1, rounding),
    ),
    mistakes=MISTAKES,
)
