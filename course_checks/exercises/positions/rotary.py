"""Lesson 07, exercise 3: queries and keys turned by the angle of their place."""

from torch import arange, cat, float64, stack

from course_checks.exercise import Exercise, Mistake, Property, all_of, random_cases
from course_checks.judge.gradient import OTHER_GRADIENT, detached
from course_lib.attention.positions import RotaryEmbedding


def rotary(x, first_place):
    length, head_dim = x.shape[-2:]
    frequency = 10000 ** (-arange(0, head_dim, 2) / head_dim)  # (head_dim / 2,)
    angle = arange(first_place, first_place + length)[:, None] * frequency
    a, b = x.unflatten(-1, (-1, 2)).unbind(dim=-1)  # (..., length, head_dim / 2) both
    turned = (a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin())
    return stack(turned, dim=-1).flatten(-2)


MISTAKES = """
halves_by_neighbours: _halves_by_neighbours
    Two conventions are mixed: your angles are those of pairs of neighbours, and you turn a feature
    together with that of the other half. Here the pairs are neighbours.
backwards: )[:, None] * frequency -> )[:, None] * -frequency
    You turn the other way: (a cos - b sin, b cos + a sin) turns by plus the angle. (Scores would
    stay as they are if queries and keys did so both.)
no_rotation: + a * angle.sin() -> - a * angle.sin()
    You subtract in both: (a cos - b sin, b cos - a sin) is no rotation, and changes the lengths.
    The second has a plus.
overwritten: + a * angle.sin() -> + (a * angle.cos() - b * angle.sin()) * angle.sin()
    You overwrite the first feature and then turn the second with the new one. Both need the old a
    and b: keep them, or write into another tensor.
both_plus: - b * angle.sin() -> + b * angle.sin()
    You add in both: (a cos + b sin, b cos + a sin) is no rotation, and changes the lengths. The
    first has a minus.
features_not_mixed: - b * angle.sin() -> && b * angle.cos() + a * angle.sin() -> b * angle.sin()
    You multiply the first feature of a pair by the cosine and the second by the sine. A turn mixes
    the two: (a cos - b sin, b cos + a sin).
cosine_for_sine: cos() => sin() && sin() => cos()
    You have sine and cosine exchanged. The angle of place 0 is 0, cos(0) is 1 and sin(0) is 0: the
    first row must stay as it is.
added: a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin() -> \
        a + angle.sin(), b + angle.cos()
    You add sines and cosines to x. Rotary positions add nothing: they turn, and lengths stay.
halves: x.unflatten(-1, (-1, 2)).unbind(dim=-1) -> x.chunk(2, dim=-1) && \
        stack(turned, dim=-1).flatten(-2) -> torch.cat(turned, dim=-1)
    You pair feature i with feature i + head_dim / 2, as Llama in Hugging Face does. Here neighbours
    are pairs: 0 and 1, 2 and 3.
not_put_back: stack(turned, dim=-1).flatten(-2) -> torch.cat(turned, dim=-1)
    You turn the right pairs and put them back in another order: all first features, then all second
    ones. stack(..., dim=-1).flatten(-2) lets them take turns; cat does not.
angles_in_halves: _angles_in_halves
    Your pairs are neighbours, and your angles are laid out for halves: 0, 1, 2, 0, 1, 2 where it
    should be 0, 0, 1, 1, 2, 2. Both features of a pair share an angle: repeat_interleave(2,
    dim=-1).
one_speed: 10000 ** (-arange(0, head_dim, 2) / head_dim) -> torch.ones(head_dim // 2)
    All your pairs turn at one speed. Then a distance of 44 places looks like none: 44 is almost 7
    whole turns.
exponent_i: / head_dim) -> / head_dim / 2)
    Your exponent is i / head_dim where it should be 2i / head_dim.
base_1000: 10000 -> 1000
    Your base is 1000; it should be 10000, with four zeros.
faster: -arange(0 -> arange(0
    Your pairs turn faster and faster: the angle is p / 10000^(2i / head_dim), with a minus in the
    exponent, or as a divisor.
degrees: * frequency -> * frequency * math.pi / 180
    You take the angles for degrees. sin and cos of torch want radians, and so does the formula: at
    place 1 the first pair turns by 1, which is about 57 degrees.
half_turned: _half_turned
    You turn the first half of the features and leave the others, as GPT-J does. Here all pairs
    turn.
one_place: lambda x, first_place: rotary(x.unsqueeze(-2), first_place).squeeze(-2)
    All your rows are turned by the angle of first_place. The first row stands there; the next one
    stands one further.
one_for_all: lambda x, first_place: \
        rotary(x.flatten(0, -3)[0] if x.dim() > 2 else x, first_place).expand(x.shape).clone()
    Your answer holds one head of one sentence again and again. Each has queries of its own: leave
    the leading dimensions in front.
first_place_ignored: arange(first_place, first_place + length) -> arange(length)
    You count from 0 whatever first_place is: a new query behind a cache would stand beside the
    first key.
first_place_as_angle: arange(first_place, first_place + length)[:, None] * frequency -> \
        arange(length)[:, None] * frequency + first_place
    You add first_place to the angles, so every pair begins with the same one. It is a position: add
    it before the positions meet the speeds.
from_one: arange(first_place, first_place + length) -> \
        arange(first_place + 1, first_place + 1 + length)
    Your first row stands one place too far on: places are counted from first_place, which may be 0,
    and then the first row is not turned.
by_head: lambda x, first_place: \
        rotary(x.transpose(-3, -2), first_place).transpose(-3, -2) if x.dim() > 2 else \
        rotary(x, first_place)
    You turn by the index of the head (or of the sentence). In (batch, heads, length, head_dim) the
    places are counted along x.shape[-2].
by_batch: lambda x, first_place: rotary(x.transpose(0, -2), first_place).transpose(0, -2)
    You turn by the index along the first axis. In (batch, heads, length, head_dim) that is the
    batch; the places are x.shape[-2].
"""


def _neighbours(x):
    return x.unflatten(-1, (-1, 2)).unbind(dim=-1)


def _in_turns(a, b):
    return stack((a, b), dim=-1).flatten(-2)


def _halves_by_neighbours(x, first_place):
    """The angles of neighbours, and the partners of the other convention."""
    first, second = x.chunk(2, dim=-1)
    length, head_dim = x.shape[-2:]
    frequency = 10000 ** (-arange(0, head_dim, 2) / head_dim)
    angle = arange(first_place, first_place + length)[:, None] * frequency
    angle = angle.repeat_interleave(2, dim=-1)  # (length, head_dim)
    return x * angle.cos() + cat((-second, first), dim=-1) * angle.sin()


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


EXERCISE = Exercise(
    reference=rotary,
    returns={"answer": "the shape of x"},
    library=(RotaryEmbedding.forward,),
    properties=(
        Property(
            "with two features, place p is turned by the angle p",
            1,
            random_cases(((3, 2), 0), ((5, 2), 0), ((4, 3, 5, 2), 0)),
        ),
        Property(
            "features 2i and 2i + 1 are a pair, and turn by p / 10000^(2i / head_dim)",
            2,
            random_cases(
                ((3, 4), 0), ((2, 5, 8), 0), ((2, 3, 5, 6), 0), ((3, 2, 4, 4), 0), ((2, 3, 3, 4), 0)
            ),
        ),
        Property(
            "the first row stands at first_place, near or far, in float64 too",
            1,
            all_of(
                random_cases(((1, 2), 3), ((3, 4), 2), ((2, 3, 4, 6), 7)),
                random_cases(((2, 50, 6), 100), dtype=float64),
                random_cases(((40, 2), 230), ((2, 3, 2), 12000)),
            ),
        ),
        Property("gradients reach x", 1, gradient=random_cases(((2, 3, 4), 0))),
    ),
    mistakes=(MISTAKES, detached("x"), Mistake("gradient_cut", OTHER_GRADIENT, _second_detached)),
)
