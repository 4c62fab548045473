"""Lesson 07, exercise 1: a vector for each place, made of waves."""

import torch
from torch import arange, stack

from course_checks.exercise import Case, Exercise, Property
from course_lib.attention.positions import sinusoidal_table


def sinusoidal_positions(length, d_model):
    place = arange(length)[:, None]  # (length, 1)
    frequency = 10000 ** (-arange(0, d_model, 2) / d_model)  # (d_model / 2,)
    angle = place * frequency  # (length, d_model / 2)
    return stack((angle.sin(), angle.cos()), dim=-1).flatten(-2)


MISTAKES = """
from_one: arange(length) -> arange(1, 1 + length)
    Your first place is 1. Places are counted from 0, so row 0 is 0, 1, 0, 1, ...
cosine_first: angle.sin(), angle.cos() -> angle.cos(), angle.sin()
    Your cosines come first. The even features are sines, the odd ones cosines: row 0 is 0, 1, 0, 1,
    ...
sine_only: angle.cos() -> angle.sin()
    Your table has no cosines: both features of a pair are its sine. A sine alone has the same value
    twice in every wave; with its cosine it is a point on a circle.
halves: stack((angle.sin(), angle.cos()), dim=-1).flatten(-2) -> \
        torch.cat((angle.sin(), angle.cos()), dim=-1)
    Your sines stand in the first half of each row, your cosines in the second. Some programs do it
    that way; here, as in the paper, they take turns.
exponent_i: / d_model) -> / d_model / 2)
    Your exponent is i / d_model where it should be 2i / d_model. With many features, your last pair
    turns about 100 times more slowly than the first, and not 10000 times.
own_speed: arange(0, d_model, 2) -> arange(d_model) && angle.sin(), angle.cos() -> \
        angle[:, ::2].sin(), angle[:, 1::2].cos()
    Your sine and your cosine of a pair turn at two speeds: the exponent of an odd feature is that
    of the even one before it.
doubled: arange(0, d_model, 2) -> 2 * arange(d_model) && angle.sin(), angle.cos() -> \
        angle[:, ::2].sin(), angle[:, 1::2].cos()
    Your i counts features, and 2i then goes twice as far as it should. There is an exponent for
    each pair: torch.arange(0, d_model, 2) holds the numbers 2i.
from_0_to_1: arange(0, d_model, 2) / d_model -> torch.linspace(0, 1, d_model // 2)
    Your exponents go from 0 to 1, both included. The last pair's is 1 - 2 / d_model: the numbers 2i
    end at d_model - 2.
not_flattened: .flatten(-2) ->
    Your table has an axis for the pairs: (length, d_model / 2, 2). flatten(-2) puts the pairs one
    behind the other.
one_speed: 10000 ** (-arange(0, d_model, 2) / d_model) -> torch.ones(d_model // 2)
    All your pairs turn at one speed. Then the places repeat after every 6.28.
faster: -arange -> arange
    Your pairs turn faster and faster: the frequency is 1 / 10000^(2i / d_model), with a minus in
    the exponent, or as a divisor.
twice_as_far: -arange -> -2 * arange
    Your exponent is 4i / d_model where it should be 2i / d_model: the 2 counts twice.
    torch.arange(0, d_model, 2) holds the numbers 2i already.
pairs_from_one: arange(0, d_model, 2) -> arange(2, d_model + 2, 2)
    Your first pair has the exponent 2 / d_model. Pairs are counted from 0: the first one turns at
    speed 1, whatever d_model is.
odd_exponents: arange(0, d_model, 2) -> arange(1, d_model + 1, 2)
    Your exponents are odd numbers divided by d_model. Pair i has 2i / d_model: they begin with 0.
degrees: 10000 ** (-arange(0, d_model, 2) / d_model) -> \
        10000 ** (-arange(0, d_model, 2) / d_model) * math.pi / 180
    You take the angles for degrees. sin and cos of torch want radians, and so does the formula:
    place 1 begins with sin(1) = 0.84.
whole_turns: 10000 ** (-arange(0, d_model, 2) / d_model) -> \
        10000 ** (-arange(0, d_model, 2) / d_model) * 2 * math.pi
    You multiply the angles by 2 pi. Then the first pair makes a whole turn from place to place and
    says nothing; the formula has no pi.
last_pair_missing: _without_last_pair
    Your last pair is 0. There are d_model / 2 pairs, so the last one begins at feature d_model - 2,
    and range does not include its end.
scaled: .flatten(-2) -> .flatten(-2) / d_model**0.5
    You divide the table by sqrt(d_model). Sines and cosines stay as they are here: each pair lies
    on a circle of radius 1.
with_batch: .flatten(-2) -> .flatten(-2)[None]
    Your table is (1, length, d_model). Leave out the axis for the batch: (length, d_model)
    broadcasts over it.
mixed_up: stack((angle.sin(), angle.cos()), dim=-1).flatten(-2) -> \
        torch.cat((angle.sin(), angle.cos())).reshape(length, -1)
    You put all sines in front of all cosines and cut the row of numbers into pieces of d_model.
    Those are no places any more: stack(..., dim=-1).flatten(-2).
too_coarse: _in_half_precision
    Your angles are computed in half precision, which has about three digits and cannot count beyond
    2048. Count and multiply in float32.
table_ends: _at_most(5000) || _at_most(64) || _at_most(100) || _at_most(128) || _at_most(256)
or: _at_most(512)
or: _at_most(1000) || _at_most(1024) || _at_most(2048) || _at_most(4096) || _at_most(10000)
    Your table ends before the text does. Make as many rows as length says.
places_repeat: arange(length) -> (arange(length) % 1024) || (arange(length) % 64) || \
        (arange(length) % 128) || (arange(length) % 256) || (arange(length) % 512) || \
        (arange(length) % 2048) || (arange(length) % 4096) || (arange(length) % 5000)
    Your places begin again after a while. Each place of a text has a row of its own.
base_1000: 10000 -> 1000
    Your base is 1000; it should be 10000, with four zeros.
base_e: 10000 ** (-arange(0, d_model, 2) / d_model) -> torch.exp(-arange(0, d_model, 2) / d_model)
    Your base is e: exp(-2i / d_model) lacks the factor log(10000) in its exponent.
transposed: .flatten(-2) -> .flatten(-2).T
    Your table is (d_model, length). It should have a row for each place.
"""


def _in_turns(angle):
    return stack((angle.sin(), angle.cos()), dim=-1).flatten(-2)


def _in_half_precision(length, d_model):
    frequency = 10000 ** -_exponents(d_model)
    return _in_turns(arange(length).half()[:, None] * frequency.half()).float()


def _at_most(longest):
    return lambda length, d_model: sinusoidal_positions(longest, d_model)[:length]


def _exponents(d_model):
    return arange(0, d_model, 2) / d_model


def _without_last_pair(length, d_model):
    table = sinusoidal_positions(length, d_model)
    if d_model > 2:
        table[:, -2:] = 0
    return table


def _between(low, high, generator):
    return int(torch.randint(low, high + 1, (), generator=generator, device="cpu"))


def _one_pair(generator):
    return [Case((2, 2)), Case((5, 2)), Case((_between(6, 9, generator), 2))]


EXERCISE = Exercise(
    reference=sinusoidal_positions,
    returns={"table": "(length, d_model)"},
    library=(sinusoidal_table,),
    dtype=torch.float32,
    properties=(
        Property("with two features, place p gets sin(p) and cos(p)", 2, _one_pair),
        Property(
            "with more, pair i turns 10000^(2i / d_model) times more slowly than pair 0",
            2,
            lambda generator: [
                Case((3, 4)),
                Case((_between(5, 9, generator), 4)),
                Case((4, 8)),
                Case((6, 6)),
            ],
        ),
        Property(
            "the table can be as short or as long as you like",
            1,
            lambda generator: [Case((1, 4)), Case((50, 6)), Case((300, 2)), Case((12_000, 2))],
        ),
    ),
    mistakes=MISTAKES,
)
