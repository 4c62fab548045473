"""Lesson 06, exercise 6: a test for models whose answer depends on the company it is given in."""

import torch
from torch import allclose, randn_like

from course_lib.checks.cross_attention.batch_cases import neighbours, padding, rounding, small
from course_lib.checks.exercise import Exercise, Mutant, Property


def depends_on_neighbours(model, source, lengths):
    together = model(source, lengths)  # (batch, d_model)
    for b, length in enumerate(lengths.tolist()):
        alone = model(source[b : b + 1, :length], lengths[b : b + 1])  # (1, d_model)
        if not allclose(alone[0], together[b], atol=1e-5):
            return True
    return False


# --- wrong tests --------------------------------------------------------------------------------


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


EXERCISE = Exercise(
    lesson="06",
    number=6,
    reference=depends_on_neighbours,
    returns={"its answer": "True or False"},
    kind="bool",
    properties=(
        Property("it tells models that read no padding from models that do", 2, padding),
        Property("it also finds models in which the sentences of a batch meet", 1, neighbours),
        Property("it also finds it where little is said, or to one sentence only", 1, small),
        Property("it is not misled by rounding", 1, rounding),
    ),
    mutants=(
        Mutant(
            "never_depends",
            "Your test says False to every model. Does it compare two different things: a sentence "
            "in the batch, and the same sentence alone and without its padding?",
            lambda model, source, lengths: False,
        ),
        Mutant(
            "always_depends",
            "Your test says True to every model. Does it compare the same sentence both times, its "
            "own row of the answers, with its own length?",
            lambda model, source, lengths: True,
        ),
        Mutant(
            "inverted",
            "Your test is right the wrong way round: True means that an answer does depend on the "
            "other sentences or on the padding.",
            lambda *args: not depends_on_neighbours(*args),
        ),
        Mutant(
            "keeps_padding",
            "You ask for each sentence alone, but with its padding. A model that reads the padding "
            "gives the same answer both times: cut the sentence off at its length.",
            _test(trim=False),
        ),
        Mutant(
            "more_padding",
            "You add padding to the whole batch. That finds what reads the padding, and not a "
            "batch whose sentences meet: ask for each sentence alone.",
            _moves(lambda source, lengths: torch.cat([source, randn_like(source)], dim=1)),
        ),
        Mutant(
            "other_padding",
            "You put other numbers in the padding. A model may depend on how much there is, "
            "whatever it holds, or on the other sentences: ask for each sentence alone.",
            _moves(_other_padding),
        ),
        Mutant(
            "other_neighbours",
            "You put other sentences beside each one and leave its padding. A model that reads its "
            "own padding gives the same answer both times: ask for the sentence alone, cut off at "
            "its length.",
            _other_neighbours,
        ),
        Mutant(
            "shuffled",
            "You change the order of the sentences. A mean over the batch does not depend on that, "
            "nor does the padding: ask for each sentence alone.",
            _shuffled,
        ),
        Mutant(
            "first_only",
            "You test the first sentence only. It may have no padding, and another may be the one "
            "that hears its neighbours: test each.",
            _test(sentences=lambda count: [0]),
        ),
        Mutant(
            "shortest_only",
            "You test the shortest sentence only. It has the most padding, and another may be the "
            "one that hears its neighbours: test each.",
            _test(sentences=lambda count: [1]),
        ),
        Mutant(
            "last_only",
            "You test the last sentence only. Another may be the one that hears its neighbours: "
            "test each. (Does a return stand inside the loop?)",
            _test(sentences=lambda count: [count - 1]),
        ),
        Mutant(
            "skips_full",
            "You leave out sentences without padding. They can hear their neighbours as well: test "
            "each.",
            _test(sentences=lambda count: range(1, count)),
        ),
        Mutant(
            "all_must_move",
            "Your test says True only if every sentence's answer moves. One that does is enough.",
            _test(verdict=all),
        ),
        Mutant(
            "too_loose",
            "You allow too large a difference, and 1% of the other sentences passes. Rounding in "
            "float32 needs about 1e-5.",
            _test(same=lambda a, b: allclose(a, b, atol=0.1)),
        ),
        Mutant(
            "exact",
            "You ask for exactly equal numbers. Sums over another number of zeros round a little "
            "otherwise: allow about 1e-5.",
            _test(same=lambda a, b: bool((a == b).all())),
        ),
        Mutant(
            "default_tolerance",
            "Your tolerance is too small: near 0, allclose forgives only 1e-8 unless it is told "
            "more. Give it atol=1e-5.",
            _test(same=allclose),
        ),
    ),
)
