"""Lesson 07, exercise 3: queries and keys turned by the angle of their place."""

import math

import torch
from torch import arange, cat, float32, float64, ones_like, stack

from course_lib.attention.positions import RotaryEmbedding
from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.gradient import OTHER_GRADIENT, cut_off, gradient_fault


def rotary(x, first_place):
    length, head_dim = x.shape[-2:]
    frequency = 10000 ** (-arange(0, head_dim, 2) / head_dim)  # (head_dim / 2,)
    angle = arange(first_place, first_place + length)[:, None] * frequency
    a, b = x.unflatten(-1, (-1, 2)).unbind(dim=-1)  # (..., length, head_dim / 2) both
    turned = (a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin())
    return stack(turned, dim=-1).flatten(-2)


# --- wrong versions -----------------------------------------------------------------------------


def _turn(a, b, angle):
    return a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()


def _turn_overwritten(a, b, angle):
    a = a * angle.cos() - b * angle.sin()
    return a, b * angle.cos() + a * angle.sin()


def _neighbours(x):
    return x.unflatten(-1, (-1, 2)).unbind(dim=-1)


def _in_turns(a, b):
    return stack((a, b), dim=-1).flatten(-2)


def _halves(a, b):
    return cat((a, b), dim=-1)


def _halves_by_neighbours(x, first_place):
    """The angles of neighbours, and the partners of the other convention."""
    first, second = x.chunk(2, dim=-1)
    length, head_dim = x.shape[-2:]
    frequency = 10000 ** (-arange(0, head_dim, 2) / head_dim)
    angle = arange(first_place, first_place + length)[:, None] * frequency
    angle = angle.repeat_interleave(2, dim=-1)  # (length, head_dim)
    return x * angle.cos() + cat((-second, first), dim=-1) * angle.sin()


def _rotary(
    frequency=lambda exponents: 10000**-exponents,
    turn=_turn,
    split=_neighbours,
    join=_in_turns,
    axis=lambda x: -2,
    used=lambda first: first,
):
    """A version: how fast, how it turns, which features are pairs, along which axis, from where."""

    def version(x, first_place):
        dim = axis(x)
        x = x.transpose(dim, -2)
        place = arange(x.shape[-2]) + used(first_place)
        angle = place[:, None] * frequency(arange(0, x.shape[-1], 2) / x.shape[-1])
        return join(*turn(*split(x), angle)).transpose(dim, -2)

    return version


def _angles_in_halves(x, first_place):
    """Neighbours are pairs, but the angles are laid out for halves."""
    place = arange(first_place, first_place + x.shape[-2])
    angle = place[:, None] * 10000 ** (-arange(0, x.shape[-1], 2) / x.shape[-1])
    angle = cat((angle, angle), dim=-1)  # (length, head_dim)
    a, b = _neighbours(x)
    return x * angle.cos() + _in_turns(-b, a) * angle.sin()


def _half_turned(x, first_place):
    half = x.shape[-1] // 4 * 2
    return cat((rotary(x[..., :half], first_place), x[..., half:]), dim=-1)


def _second_detached(x, first_place):
    a, b = _neighbours(x)
    return rotary(_in_turns(a, b.detach() + 0 * b), first_place)


def _first_pair_only(exponents):
    return 1.0 * (exponents == 0)


# --- what they are run on -----------------------------------------------------------------------


def _cases(*sizes, dtype=float32):
    return lambda generator: [
        Case((randn(generator, *shape, dtype=dtype), first)) for shape, first in sizes
    ]


def _learns(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    return gradient_fault(EXERCISE, function, _cases(((2, 3, 4), 0))(generator))


EXERCISE = Exercise(
    lesson="07",
    number=3,
    reference=rotary,
    returns={"answer": "the shape of x"},
    library=(RotaryEmbedding.forward,),
    properties=(
        Property(
            "with two features, place p is turned by the angle p",
            1,
            _cases(((3, 2), 0), ((5, 2), 0), ((4, 3, 5, 2), 0)),
        ),
        Property(
            "features 2i and 2i + 1 are a pair, and turn by p / 10000^(2i / head_dim)",
            2,
            _cases(
                ((3, 4), 0), ((2, 5, 8), 0), ((2, 3, 5, 6), 0), ((3, 2, 4, 4), 0), ((2, 3, 3, 4), 0)
            ),
        ),
        Property(
            "the first row stands at first_place, near or far, in float64 too",
            1,
            lambda generator: [
                *_cases(((1, 2), 3), ((3, 4), 2), ((2, 3, 4, 6), 7))(generator),
                *_cases(((2, 50, 6), 100), dtype=float64)(generator),
                *_cases(((40, 2), 230), ((2, 3, 2), 12_000))(generator),
            ],
        ),
        Property("gradients reach x", 1, judge=_learns),
    ),
    mistakes=(
        Mistake(
            "halves_by_neighbours",
            "Two conventions are mixed: your angles are those of pairs of neighbours, and you turn "
            "a feature together with that of the other half. Here the pairs are neighbours.",
            _halves_by_neighbours,
        ),
        Mistake(
            "backwards",
            "You turn the other way: (a cos - b sin, b cos + a sin) turns by plus the angle. "
            "(Scores would stay as they are if queries and keys did so both.)",
            _rotary(turn=lambda a, b, angle: _turn(a, b, -angle)),
        ),
        Mistake(
            "no_rotation",
            "You subtract in both: (a cos - b sin, b cos - a sin) is no rotation, and changes the "
            "lengths. The second has a plus.",
            _rotary(
                turn=lambda a, b, t: (a * t.cos() - b * t.sin(), b * t.cos() - a * t.sin()),
            ),
        ),
        Mistake(
            "overwritten",
            "You overwrite the first feature and then turn the second with the new one. Both need "
            "the old a and b: keep them, or write into another tensor.",
            _rotary(turn=_turn_overwritten),
        ),
        Mistake(
            "both_plus",
            "You add in both: (a cos + b sin, b cos + a sin) is no rotation, and changes the "
            "lengths. The first has a minus.",
            _rotary(
                turn=lambda a, b, t: (a * t.cos() + b * t.sin(), b * t.cos() + a * t.sin()),
            ),
        ),
        Mistake(
            "features_not_mixed",
            "You multiply the first feature of a pair by the cosine and the second by the sine. A "
            "turn mixes the two: (a cos - b sin, b cos + a sin).",
            _rotary(turn=lambda a, b, t: (a * t.cos(), b * t.sin())),
        ),
        Mistake(
            "cosine_for_sine",
            "You have sine and cosine exchanged. The angle of place 0 is 0, cos(0) is 1 and sin(0) "
            "is 0: the first row must stay as it is.",
            _rotary(turn=lambda a, b, t: (a * t.sin() - b * t.cos(), b * t.sin() + a * t.cos())),
        ),
        Mistake(
            "added",
            "You add sines and cosines to x. Rotary positions add nothing: they turn, and lengths "
            "stay.",
            _rotary(turn=lambda a, b, angle: (a + angle.sin(), b + angle.cos())),
        ),
        Mistake(
            "halves",
            "You pair feature i with feature i + head_dim / 2, as Llama in Hugging Face does. Here "
            "neighbours are pairs: 0 and 1, 2 and 3.",
            _rotary(split=lambda x: x.chunk(2, dim=-1), join=_halves),
        ),
        Mistake(
            "not_put_back",
            "You turn the right pairs and put them back in another order: all first features, "
            "then all second ones. stack(..., dim=-1).flatten(-2) lets them take turns; cat does "
            "not.",
            _rotary(join=_halves),
        ),
        Mistake(
            "angles_in_halves",
            "Your pairs are neighbours, and your angles are laid out for halves: 0, 1, 2, 0, 1, 2 "
            "where it should be 0, 0, 1, 1, 2, 2. Both features of a pair share an angle: "
            "repeat_interleave(2, dim=-1).",
            _angles_in_halves,
        ),
        Mistake(
            "one_speed",
            "All your pairs turn at one speed. Then a distance of 44 places looks like none: "
            "44 is almost 7 whole turns.",
            _rotary(ones_like),
        ),
        Mistake(
            "first_pair_only",
            "Only your first pair turns. Each pair has an angle of its own: (length, head_dim / 2) "
            "of them.",
            _rotary(_first_pair_only),
        ),
        Mistake(
            "exponent_i",
            "Your exponent is i / head_dim where it should be 2i / head_dim.",
            _rotary(lambda exponents: 10000 ** (-exponents / 2)),
        ),
        Mistake(
            "base_1000",
            "Your base is 1000; it should be 10000, with four zeros.",
            _rotary(lambda exponents: 1000**-exponents),
        ),
        Mistake(
            "faster",
            "Your pairs turn faster and faster: the angle is p / 10000^(2i / head_dim), with a "
            "minus in the exponent, or as a divisor.",
            _rotary(lambda exponents: 10000**exponents),
        ),
        Mistake(
            "degrees",
            "You take the angles for degrees. sin and cos of torch want radians, and so does the "
            "formula: at place 1 the first pair turns by 1, which is about 57 degrees.",
            _rotary(lambda exponents: 10000**-exponents * math.pi / 180),
            also=(_rotary(turn=lambda a, b, angle: _turn(a, b, angle * math.pi / 180)),),
        ),
        Mistake(
            "half_turned",
            "You turn the first half of the features and leave the others, as GPT-J does. Here all "
            "pairs turn.",
            _half_turned,
        ),
        Mistake(
            "one_place",
            "All your rows are turned by the angle of first_place. The first row stands there; the "
            "next one stands one further.",
            lambda x, first_place: rotary(x.unsqueeze(-2), first_place).squeeze(-2),
        ),
        Mistake(
            "one_for_all",
            "Your answer holds one head of one sentence again and again. Each has queries of its "
            "own: leave the leading dimensions in front.",
            lambda x, first_place: (
                rotary(x.flatten(0, -3)[0] if x.dim() > 2 else x, first_place)
                .expand(x.shape)
                .clone()
            ),
        ),
        Mistake(
            "first_place_ignored",
            "You count from 0 whatever first_place is: a new query behind a cache would stand "
            "beside the first key.",
            _rotary(used=lambda first: 0),
        ),
        Mistake(
            "from_one",
            "Your first row stands one place too far on: places are counted from first_place, "
            "which may be 0, and then the first row is not turned.",
            _rotary(used=lambda first: first + 1),
        ),
        Mistake(
            "by_batch",
            "You turn by the index along the first axis. In (batch, heads, length, head_dim) that "
            "is the batch; the places are x.shape[-2].",
            _rotary(axis=lambda x: 0),
        ),
        Mistake(
            "by_heads",
            "You turn by the index of the head: in (batch, heads, length, head_dim) the length is "
            "x.shape[-2].",
            _rotary(axis=lambda x: max(-3, -x.dim())),
        ),
        Mistake("cut_off", cut_off("x"), lambda x, first: rotary(x, first).detach()),
        Mistake("gradient_cut", OTHER_GRADIENT, _second_detached),
    ),
)
