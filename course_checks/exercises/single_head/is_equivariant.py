"""Lesson 02, exercise 3: a test for permutation equivariance."""

import torch
from torch import allclose

from course_checks.exercise import Exercise, Property
from course_checks.exercises.single_head.equivariance_cases import (
    adds_positions,
    keeps_some_orders,
    sees_the_earlier,
)


def is_equivariant(layer, x):
    order = torch.randperm(x.shape[0])
    return allclose(layer(x[order]), layer(x)[order], atol=1e-5)


MISTAKES = """
accepts_everything: lambda layer, x: True
    Your test says True to every layer. Does it really change the order of the tokens, and does it
    compare the numbers and not only the shapes?
rejects_everything: lambda layer, x: False
    Your test says False to every layer, even to one that gives all positions the same output. What
    do you compare, and with what tolerance?
invariance: layer(x)[order] -> layer(x)
    Your test asks whether the output stays the same when the tokens change places: that is
    invariance. Equivariance asks that the output changes places along with them.
wrong_side: layer(x[order]), layer(x)[order] -> layer(x)[order], layer(x)
    The two sides that you compare are not permuted alike: the order must be applied once to the
    input of one side, and once to the output of the other.
reversal_only: torch.randperm(x.shape[0]) -> torch.arange(len(x)).flip(0)
    You try one order only, the reversed one. A layer that treats left and right alike passes that
    and is not equivariant: use a random order.
shift_only: torch.randperm(x.shape[0]) -> torch.arange(len(x)).roll(1)
    You try only a cyclic shift of the tokens. A layer that looks at its neighbour passes that and
    is not equivariant: use a random order.
two_exchanged: _in_order(_first_two_exchanged)
or: _in_order(lambda positions: torch.cat([positions[-1:], positions[1:-1], positions[:1]]))
or: _in_order(lambda positions: _first_two_exchanged(positions.flip(0)).flip(0))
    You exchange two tokens only. A layer that treats those two alike passes that and is not
    equivariant: use a random order of all tokens.
any_order: lambda layer, x: any(is_equivariant(layer, x) for _ in range(10))
    Your test says True as soon as one order agrees. It should say False as soon as one does not.
fixed_length: torch.randperm(x.shape[0]) -> torch.randperm(8) || torch.randperm(x.shape[1])
    Your order has fewer places than x has tokens, so some tokens are left out: use len(x).
features_permuted: torch.randperm(x.shape[0]) -> torch.arange(x.shape[1]).roll(1) && x[order] -> \
        x[:, order] && layer(x)[order] -> layer(x)[:, order]
    You permute the features of each token. x is (seq_len, d_model): permute the tokens, its first
    dimension.
sums_compared: allclose(layer(x[order]), layer(x)[order], atol=1e-5) -> \
        allclose(layer(x[order]).sum(dim=0), layer(x)[order].sum(dim=0), atol=1e-4)
    You compare sums (or means) over the tokens. A layer may put its outputs in the wrong places and
    keep their sum: compare every entry.
exact: allclose(layer(x[order]), layer(x)[order], atol=1e-5) -> \
        bool((layer(x[order]) == layer(x)[order]).all())
    You ask for exactly equal numbers. A sum in another order is off by about 1e-7: allow a small
    difference.
default_tolerance: , atol=1e-5 ->
    Your tolerance is too small: a sum in another order is off by about 1e-7, and near 0 allclose
    forgives only 1e-8 unless it is told more. Give it atol=1e-5.
sorted_outputs: allclose(layer(x[order]), layer(x)[order], atol=1e-5) -> \
        allclose(layer(x[order]).sort(dim=0).values, layer(x).sort(dim=0).values, atol=1e-5)
    You sort both outputs before you compare them. That throws the order away, and the order is what
    the test is about.
against_input: layer(x)[order] -> x[order]
    You compare the output for the shuffled x with the shuffled x itself. Compare it with the
    shuffled output.
reversal_and_shift: lambda layer, x: _reversal(layer, x) and _shift(layer, x)
    You try the reversed order and a cyclic shift. A layer that averages both neighbours in a circle
    survives the two and is not equivariant: use a random order.
some_stay: _first_in_any_order(3) || _first_in_any_order(4) || _first_in_any_order(6)
    Some tokens keep their place in every order that you try. A layer may treat just those in its
    own way: use a random order of all tokens.
too_loose: atol=1e-5 -> atol=0.5 || atol=0.2 || atol=1 || atol=2 || atol=1e-5, rtol=0.1 || atol=0.1
    You allow too large a difference: a layer that adds a small position passes. Rounding is about
    1e-7, so that atol=1e-5 is enough.
some_features: allclose(layer(x[order]), layer(x)[order], atol=1e-5) -> \
        allclose(layer(x[order])[:, 0], layer(x)[order][:, 0], atol=1e-5)
    You compare one feature of the outputs only. Positions may be added to another: compare all.
turned_round: return -> return not
    Your test says True where it should say False, and the other way round.
"""


def _in_order(order_of):
    """A test that tries one order of the tokens, made from their numbers."""

    def test(layer, x):
        order = order_of(torch.arange(len(x)))
        return allclose(layer(x[order]), layer(x)[order], atol=1e-5)

    return test


def _first_two_exchanged(positions):
    return torch.cat([positions[:2].flip(0), positions[2:]])


def _first_in_any_order(count):
    """A test that moves the first ``count`` tokens and no other, in ten orders."""

    def test(layer, x):
        tries = (torch.randperm(count).tolist() + [*range(count, len(x))] for _ in range(10))
        return all(allclose(layer(x[order]), layer(x)[order], atol=1e-5) for order in tries)

    return test


_reversal = _in_order(lambda positions: positions.flip(0))
_shift = _in_order(lambda positions: positions.roll(1))

EXERCISE = Exercise(
    reference=is_equivariant,
    returns={"its answer": "True or False"},
    kind="bool",
    properties=(
        Property(
            "it tells layers that treat all orders alike from one that adds positions",
            2,
            adds_positions,
        ),
        Property(
            "it tells them from layers in which a token sees only the earlier ones",
            1,
            sees_the_earlier,
        ),
        Property(
            "it tells them from layers that keep only some orders, and from one that sorts",
            1,
            keeps_some_orders,
        ),
    ),
    mistakes=MISTAKES,
)
