"""Lesson 07, exercise 4: does a function give positions by time, or by something else?"""

import torch
from torch import allclose, cat
from torch.nn.functional import normalize

from course_checks.exercise import Exercise, Property
from course_checks.exercises.positions.place_cases import by_batch, sentences, shared_places, small


def places_by_time(add_positions, x):
    repeated = x[:1, :1].expand(1, x.shape[1], -1)  # a sentence of one token
    placed = add_positions(repeated)[0]  # (length, d_model)
    gaps = (placed[:, None] - placed).abs().amax(dim=-1)  # (length, length)
    if not (gaps.fill_diagonal_(1) > 1e-4).all():
        return False
    alone = cat([add_positions(x[b : b + 1]) for b in range(len(x))])
    return allclose(alone, add_positions(x), atol=1e-5)


MISTAKES = """
always_true: lambda add_positions, x: True
    Your test says True to every function. Shapes are right in all of them: look at the numbers.
always_false: lambda add_positions, x: False
    Your test says False to every function. Does it compare a place with itself? Does it ask the
    same sentence both times, in the batch and alone? Does it allow for rounding?
turned_round: lambda add_positions, x: not places_by_time(add_positions, x)
    Your test says True where it should say False and the other way round. Is a `not` missing, or
    one too many?
every_feature: _every_feature || _all_unequal
or: lambda add_positions, x: _every_feature(add_positions, x, limit=1e-6)
    You ask that every feature differs between two places. Slow waves hardly move from one place to
    the next; two vectors differ when one feature does: amax, not amin.
one_feature: _by_feature(lambda placed: placed[:, 0])
    You compare the first feature of the places only. The place may be written into another: two
    places are alike when all their features are.
sums: _by_feature(lambda placed: placed.sum(dim=-1))
    You compare the sums of the features. What is added to one and taken from another stays unseen:
    compare feature by feature.
lengths: _by_feature(lambda placed: placed.norm(dim=-1))
    You compare the lengths of the vectors. A turn leaves them as they are: compare feature by
    feature.
directions: _direction
    You compare the directions of the vectors. A factor for each place leaves them as they are:
    compare feature by feature.
first_places_only: lambda add_positions, x: places_by_time(add_positions, x[:, :6])
    You look at the first six places only. Later ones may be alike: take as many tokens as x has.
any_sentence: _test(batch=_some_sentence)
    For your test it is enough that one sentence comes out the same alone. All must.
either_rule: lambda add_positions, x: \
        _test(batch=lambda *both: True)(add_positions, x) or _as_alone(add_positions, x)
    For your test it is enough that one of the two rules holds. Both must.
places_only: _test(batch=lambda add_positions, x: True)
    You look at the places in one sentence only. A function may number the sentences on, or serve
    the first one only: compare each sentence in its batch with itself alone.
batch_only: _test(places=lambda gaps: True)
    Your test lets functions pass that give two places the same. Does it ask with equal tokens?
    Those of x differ from the start, whatever is added.
neighbours_only: _test(places=lambda gaps: bool((gaps.diagonal(1) > 0.0001).all()))
    You compare each place with the next one only. Rows that begin again after 4 places pass:
    compare every place with every other.
with_the_first: _test(places=lambda gaps: bool((gaps[0, 1:] > 0.0001).all()))
    You compare each place with the first one only. Two later ones may be alike: compare every place
    with every other.
any_pair: _test(places=_any_pair)
    For your test it is enough that some two places differ. All must.
zeros: _test(asked=lambda x: torch.zeros_like(x[:1]))
    You ask with tokens of zeros. A function that turns or scales the tokens gives zeros back: take
    equal tokens that are not 0.
added_part: _added_part
    You subtract x and compare what is left. Not all positions are added: what a turn or a factor
    leaves differs from token to token. Ask with equal tokens.
within_one_batch: _test(batch=_as_the_first)
    You compare the sentences of one batch with one another, or put them in another order. What all
    of them share goes unseen, such as places that begin with the size of the batch: compare with
    the sentence alone.
size_kept: _test(batch=_with_other_neighbours)
    You change the other sentences or their order, and never how many there are. What depends on the
    size of the batch goes unseen, such as places that begin with it: compare with the sentence
    alone.
last_sentence_only: _test(batch=lambda add, x: allclose(add(x[-1:])[0], add(x)[-1], atol=1e-05))
    You ask only for the last sentence alone. It may be the one that is right: ask for every one.
first_sentence_only: _test(batch=lambda add, x: allclose(add(x[:1])[0], add(x)[0], atol=1e-05))
    You ask only for the first sentence alone. It may be the one that is right: ask for each.
too_coarse: _test(places=lambda gaps: _every_pair(gaps, limit=0.1))
or: _test(places=lambda gaps: _every_pair(gaps, limit=0.05))
    You call two places alike that differ by 0.02. Learned tables begin small, in GPT-2 with 0.01:
    1e-4 is a good limit.
too_loose: _test(batch=lambda add, x: _as_alone(add, x, lambda a, b: allclose(a, b, atol=0.05)))
    You allow too large a difference between the batch and the sentence alone. Positions may be as
    small as 0.01: atol=1e-5 is enough for rounding.
exact: _test(batch=lambda add, x: _as_alone(add, x, torch.equal))
    You ask for exactly equal numbers from the batch and from the sentence alone. Allow for
    rounding: atol=1e-5.
"""


def _repeated(x):
    return x[:1, :1].expand(1, x.shape[1], -1)


def _every_pair(gaps, limit=1e-4):
    return bool((gaps.fill_diagonal_(1) > limit).all())


def _any_pair(gaps):
    return bool((gaps > 1e-4).any())


def _as_alone(add_positions, x, same=lambda a, b: allclose(a, b, atol=1e-5)):
    alone = cat([add_positions(x[b : b + 1]) for b in range(len(x))])
    return same(alone, add_positions(x))


def _as_the_first(add_positions, x):
    placed = add_positions(_repeated(x).expand(x.shape))
    return allclose(placed, placed[:1].expand(x.shape), atol=1e-5)


def _test(asked=_repeated, places=_every_pair, batch=_as_alone):
    """What is asked for one sentence, which gaps must be seen, what is asked about the batch."""

    def test(add_positions, x):
        placed = add_positions(asked(x))[0]  # (length, d_model)
        gaps = (placed[:, None] - placed).abs().amax(dim=-1)
        return places(gaps) and batch(add_positions, x)

    return test


def _with_other_neighbours(add_positions, x):
    placed = add_positions(x)
    for b in range(len(x)):
        others = -x
        others[b] = x[b]
        if not allclose(add_positions(others)[b], placed[b], atol=1e-5):
            return False
    return allclose(add_positions(x.flip(0)).flip(0), placed, atol=1e-5)


def _every_feature(add_positions, x, limit=1e-4):
    placed = add_positions(_repeated(x))[0]
    gaps = (placed[:, None] - placed).abs().amin(dim=-1)
    return _every_pair(gaps, limit) and _as_alone(add_positions, x)


def _added_part(add_positions, x):
    added = add_positions(x) - x  # (batch, length, d_model)
    gaps = (added[0][:, None] - added[0]).abs().amax(dim=-1)
    return _every_pair(gaps) and allclose(added, added[:1].expand(x.shape), atol=1e-5)


def _by_feature(shown, gap_of=lambda a, b: (a - b).abs(), limit=1e-4):
    """A test that compares one number for each place, ``shown(placed)``."""

    def test(add_positions, x):
        numbers = shown(add_positions(_repeated(x))[0])  # (length,)
        return _every_pair(gap_of(numbers[:, None], numbers), limit) and _as_alone(add_positions, x)

    return test


def _all_unequal(add_positions, x):
    placed = add_positions(_repeated(x))[0]
    unequal = (placed[:, None] != placed).all(dim=-1)
    return bool(unequal.fill_diagonal_(True).all()) and _as_alone(add_positions, x)


def _direction(add_positions, x):
    placed = normalize(add_positions(_repeated(x))[0], dim=-1)
    gaps = (placed[:, None] - placed).abs().amax(dim=-1)
    return _every_pair(gaps) and _as_alone(add_positions, x)


def _some_sentence(add_positions, x):
    alone = torch.stack([add_positions(x[b : b + 1])[0] for b in range(len(x))])
    return any(allclose(*pair, atol=1e-5) for pair in zip(alone, add_positions(x), strict=True))


EXERCISE = Exercise(
    reference=places_by_time,
    returns={"its answer": "True or False"},
    kind="bool",
    properties=(
        Property("it tells positions by time from positions by batch, and from none", 2, by_batch),
        Property("it also tells functions in which only some places are alike", 1, shared_places),
        Property("it also tells functions for which the batch matters", 1, sentences),
        Property("it sees small vectors, and is not misled by rounding", 1, small),
    ),
    mistakes=MISTAKES,
)
