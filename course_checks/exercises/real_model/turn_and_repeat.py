"""Lesson 16, exercise 9: what the student's own attention lacks for a real model."""

import torch
from torch import float64

from course_checks.exercise import Case, Exercise, Property, randn
from course_checks.judge.gradient import detached
from course_lib.attention.scaled_dot_product import repeat_for_groups


def turn_and_repeat(projected, num_heads, head_dim, turn):
    heads = projected.unflatten(-1, (-1, head_dim)).transpose(1, 2)
    if turn is not None:
        heads = turn(heads)  # (batch, num_kv_heads, length, head_dim)
    heads = heads.repeat_interleave(num_heads // heads.shape[1], dim=1)
    return heads.transpose(1, 2).flatten(-2)


MISTAKES = """
in_turns: heads.repeat_interleave(num_heads // heads.shape[1], dim=1) -> \
        heads.repeat(1, num_heads // heads.shape[1], 1, 1)
    You repeat the key heads in turns: 0, 1, 2, 0, 1, 2. Neighbours share: repeat_interleave.
not_repeated: heads.repeat_interleave(num_heads // heads.shape[1], dim=1) -> heads
    You do not repeat the heads. Your class wants as many key heads as query heads: num_heads.
first_head_for_all: heads.repeat_interleave(num_heads // heads.shape[1], dim=1) -> \
        heads[:, :1].expand(-1, num_heads, -1, -1) || \
        heads[:, [i if i < heads.shape[1] else 0 for i in range(num_heads)]] || \
        heads.mean(dim=1, keepdim=True).expand(-1, num_heads, -1, -1)
    Your query heads get key head 0, or a mean of all. Neighbours share: 0, 0, 0, 1, 1, 1.
never_turned: turn(heads) -> heads || turn(turn(heads))
    You do not call turn once: never, or twice.
turned_in_one_piece: heads = projected.unflatten -> projected = projected if turn is None else \
        turn(projected[:, None])[:, 0]; heads = projected.unflatten && turn(heads) -> heads
    You turn the features of all heads as one long head. The pairs lie within a head: split first.
turned_along_the_heads: turn(heads) -> turn(heads.transpose(1, 2)).transpose(1, 2)
    You call turn before the tokens and the heads have changed places. It turns by the place in the
    second last dimension: the tokens.
split_without_transpose: projected.unflatten(-1, (-1, head_dim)).transpose(1, 2) -> \
        projected.reshape(len(projected), -1, projected.shape[1], head_dim)
    You reshape to (batch, heads, length, head_dim) in one step, so your heads hold pieces of
    several tokens.
joined_without_transpose: heads.transpose(1, 2).flatten(-2) -> \
        heads.reshape(*projected.shape[:2], -1)
    You reshape the heads back without a transpose, and a row of yours holds several tokens.
left_as_heads: heads.transpose(1, 2).flatten(-2) -> heads
    You return the heads. The features of all stand side by side: (batch, length, num_heads *
    head_dim).
features_before_heads: projected.unflatten(-1, (-1, head_dim)).transpose(1, 2) -> \
        projected.unflatten(-1, (head_dim, -1)).permute(0, 3, 1, 2)
    You cut the features into (head_dim, heads). Those of a head are neighbours: (heads, head_dim).
features_repeated: heads.repeat_interleave(num_heads // heads.shape[1], dim=1) -> heads && \
        .flatten(-2) -> .flatten(-2).repeat_interleave(num_heads // heads.shape[1], dim=-1)
    You repeat each feature where it stands. Whole heads are shared: repeat them before they are
    joined.
turned_only_if_repeated: if turn is not None -> if turn is not None and heads.shape[1] < num_heads
    You turn only where heads are repeated. The queries are turned as well.
"""


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
        for batch, length, num_kv_heads, num_heads, head_dim in sizes:
            projected = randn(generator, batch, length, num_kv_heads * head_dim, dtype=dtype)
            words = "turn=None" if turn is None else "a function as turn"
            label = f"projected of shape {tuple(projected.shape)}, num_heads {num_heads}, "
            label += f"head_dim {head_dim} and {words}"
            yield Case((projected, num_heads, head_dim, turn), label=label)

    return cases


EXERCISE = Exercise(
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
        Property("gradients reach projected", 1, gradient=_cases((1, 3, 2, 4, 4))),
    ),
    mistakes=(MISTAKES, detached("projected")),
)
