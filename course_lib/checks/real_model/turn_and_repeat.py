"""Lesson 16, exercise 9: what the student's own attention lacks for a real model."""

import torch
from torch import float64

from course_lib.attention.scaled_dot_product import repeat_for_groups
from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.gradient import cut_off, gradient_fault


def turn_and_repeat(projected, num_heads, head_dim, turn):
    heads = projected.unflatten(-1, (-1, head_dim)).transpose(1, 2)
    if turn is not None:
        heads = turn(heads)  # (batch, num_kv_heads, length, head_dim)
    heads = heads.repeat_interleave(num_heads // heads.shape[1], dim=1)
    return heads.transpose(1, 2).flatten(-2)


# --- wrong versions -----------------------------------------------------------------------------


def _split(x, head_dim):
    return x.unflatten(-1, (-1, head_dim)).transpose(1, 2)


def _neighbours(heads, count):
    return heads.repeat_interleave(count // heads.shape[1], dim=1)


def _join(heads):
    return heads.transpose(1, 2).flatten(-2)


def _version(split=_split, turned=None, repeat=_neighbours, join=_join):
    """A version that does one of the steps in another way."""

    def version(projected, num_heads, head_dim, turn):
        heads = split(projected, head_dim)
        if turn is not None:
            heads = turned(heads, turn) if turned else turn(heads)
        heads = repeat(heads, num_heads)
        return join(heads).reshape(len(projected), projected.shape[1], -1)

    return version


def _turned_whole(projected, num_heads, head_dim, turn):
    """The features of all heads are turned as if they were one head's."""
    if turn is not None:
        projected = turn(projected[:, None])[:, 0]
    return turn_and_repeat(projected, num_heads, head_dim, None)


def _one_each_then_the_first(heads, count):
    return heads[:, [i if i < heads.shape[1] else 0 for i in range(count)]]


# --- inputs --------------------------------------------------------------------------------------


def by_place(heads):
    """A way to turn, in which the pairs are halves: place p is turned by p times an angle."""
    half = heads.shape[-1] // 2
    angle = torch.arange(1, heads.shape[-2] + 1, dtype=heads.dtype)[:, None]
    angle = angle / torch.arange(1, half + 1, dtype=heads.dtype)  # (length, head_dim / 2)
    a, b = heads[..., :half], heads[..., half:]
    turned = (a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin())
    return torch.cat(turned, dim=-1)


def _cases(*sizes, turn=by_place, dtype=torch.float32):
    """From batch, length, key heads, query heads and head_dim."""

    def cases(generator):
        found = []
        for batch, length, num_kv_heads, num_heads, head_dim in sizes:
            projected = randn(generator, batch, length, num_kv_heads * head_dim, dtype=dtype)
            words = "turn=None" if turn is None else "a function as turn"
            label = f"projected of shape {tuple(projected.shape)}, num_heads {num_heads}, "
            label += f"head_dim {head_dim} and {words}"
            found.append(Case((projected, num_heads, head_dim, turn), label=label))
        return found

    return cases


def _learns(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    return gradient_fault(EXERCISE, function, _cases((1, 3, 2, 4, 4))(generator))


EXERCISE = Exercise(
    lesson="16",
    number=9,
    reference=turn_and_repeat,
    returns={"features": "(batch, length, num_heads * head_dim)"},
    library=(repeat_for_groups,),
    properties=(
        Property(
            "with turn=None, each head of projected stands there once for each query head that "
            "shares it, neighbours together",
            2,
            _cases((1, 3, 2, 4, 2), (2, 4, 3, 9, 4), (2, 2, 2, 2, 4), turn=None),
        ),
        Property(
            "with a function, each head is turned by it, (batch, heads, length, head_dim)",
            2,
            _cases((1, 3, 1, 1, 4), (2, 4, 3, 3, 4), (2, 4, 2, 6, 2), (4, 4, 4, 4, 4)),
        ),
        Property("the same holds in float64", 1, _cases((2, 3, 2, 4, 4), dtype=float64)),
        Property("gradients reach projected", 1, judge=_learns),
    ),
    mistakes=(
        Mistake(
            "in_turns",
            "You repeat the key heads in turns: 0, 1, 2, 0, 1, 2. Neighbours share: 0, 0, 0, 1, 1, "
            "1. repeat_interleave does that.",
            _version(repeat=lambda heads, n: heads.repeat(1, n // heads.shape[1], 1, 1)),
        ),
        Mistake(
            "not_repeated",
            "You turn the heads and do not repeat them. Your class wants as many key heads as "
            "query heads: num_heads.",
            _version(repeat=lambda heads, n: heads),
        ),
        Mistake(
            "first_head_for_all",
            "Every query head gets key head 0.",
            _version(repeat=lambda heads, n: heads[:, :1].expand(-1, n, -1, -1)),
        ),
        Mistake(
            "one_each_then_the_first",
            "The first query heads get a key head each, and the others all get key head 0. "
            "Neighbours share: 0, 0, 0, 1, 1, 1.",
            _version(repeat=_one_each_then_the_first),
        ),
        Mistake(
            "averaged",
            "You average the key heads. Each query head has one of its own to share.",
            _version(repeat=lambda heads, n: heads.mean(dim=1, keepdim=True).expand(-1, n, -1, -1)),
        ),
        Mistake(
            "never_turned",
            "You never call turn.",
            _version(turned=lambda heads, turn: heads),
        ),
        Mistake(
            "turned_twice",
            "You call turn twice.",
            _version(turned=lambda heads, turn: turn(turn(heads))),
        ),
        Mistake(
            "turned_in_one_piece",
            "You turn the features of all heads as if they were one long head. The pairs lie "
            "within a head: split first.",
            _turned_whole,
        ),
        Mistake(
            "turned_along_the_heads",
            "You call turn before the tokens and the heads have changed places. It turns by the "
            "place in the second last dimension: that must be the tokens.",
            _version(
                turned=lambda heads, turn: turn(heads.transpose(1, 2)).transpose(1, 2),
            ),
        ),
        Mistake(
            "split_without_transpose",
            "You reshape to (batch, heads, length, head_dim) in one step. A reshape keeps the "
            "order of the numbers, so your heads hold pieces of several tokens.",
            _version(
                split=lambda x, head_dim: x.reshape(len(x), -1, x.shape[1], head_dim),
            ),
        ),
        Mistake(
            "joined_without_transpose",
            "You reshape the heads back without exchanging the tokens and the heads first. The "
            "shape is right, and a row of yours holds several tokens of one head.",
            _version(join=lambda heads: heads),
        ),
        Mistake(
            "left_as_heads",
            "You return (batch, num_heads, length, head_dim). What stands behind a projection has "
            "the features of all heads side by side: (batch, length, num_heads * head_dim).",
            lambda projected, num_heads, head_dim, turn: _split(
                turn_and_repeat(projected, num_heads, head_dim, turn), head_dim
            ),
        ),
        Mistake(
            "features_before_heads",
            "You cut the features into (head_dim, heads): a head then gets every so many-th "
            "feature. Its features are neighbours: (heads, head_dim).",
            _version(
                split=lambda x, head_dim: x.unflatten(-1, (head_dim, -1)).permute(0, 3, 1, 2),
            ),
        ),
        Mistake("cut_off", cut_off("projected"), lambda *args: turn_and_repeat(*args).detach()),
    ),
)
