"""Lesson 16, exercise 4: rows of a matrix in the order of another rotary convention."""

import torch
from torch import arange, cat, float64

from course_lib.checks.exercise import Case, Exercise, Property, randn
from course_lib.checks.judge.gradient import detached, gradient_fault
from course_lib.model.conversion import change_pairing


def neighbours_to_halves(weight, num_heads):
    pairs = weight.reshape(num_heads, -1, 2, weight.shape[1])  # (heads, pair, 2, d_model)
    return pairs.transpose(1, 2).reshape(weight.shape)


MISTAKES = """
other_direction: num_heads, -1, 2 -> num_heads, 2, -1
    You go the other way, from halves to neighbours. The rows come as 0 and 1 of a pair, 0 and 1 of
    the next; the first of each pair should fill the first half. (With 4 rows a head both directions
    are the same, so a test with 4 does not show it.)
whole_matrix: num_heads, -1, 2 -> 1, -1, 2
    You sort all rows of the matrix at once, so that the first heads end up with the even rows of
    all heads. Sort within each head: its head_dim rows stay together.
other_direction_whole_matrix: num_heads, -1, 2 -> 1, 2, -1
    You go the other way, from halves to neighbours, and over the whole matrix at once. Within each
    head, the first of each pair should fill the first half.
columns: _columns
or: _columns_by_head
or: _turned_round
    You sort columns. They belong to the features that come in, and the pairs are among those that
    come out: the rows.
odd_first: pairs.transpose -> pairs.flip(2).transpose
    Your odd rows come first. The first of each pair, row 0, 2, 4, ..., belongs in the first half:
    exchanged, every pair would turn backwards.
halves_exchanged: num_heads, -1, 2 -> num_heads, 2, -1 && transpose(1, 2) -> flip(1)
or: lambda weight, num_heads: weight.roll(len(weight) // 2, 0)
    You exchange the two halves of each head. It is the two rows of each pair that come into
    different halves: rows 0, 2, 4, ... into the first.
pairs_exchanged: transpose(1, 2) -> flip(2)
    You exchange the two rows of each pair and leave them beside each other. They belong half a head
    apart.
reversed: _reordered(lambda rows: rows.flip(0))
or: lambda weight, num_heads: weight.flip(0)
or: _reordered(_odds_reversed)
or: _reordered(lambda rows: _evens_then_odds(rows).flip(0))
    You turn rows round, all of them or those of a half. Rows 0, 2, 4, ... come first, and then rows
    1, 3, 5, ..., each in this order.
unchanged: lambda weight, num_heads: weight.clone()
    Your rows stand where they stood. In each head rows 0, 2, 4, ... come first, and then rows 1, 3,
    5, ....
evens_only: pairs.transpose(1, 2).reshape(weight.shape) -> pairs[:, :, 0].flatten(0, 1)
    You keep the even rows only. The odd ones follow behind them.
overwritten: _overwritten
    You write the first half and then read odd rows from where you have written. Read from weight,
    and write into another tensor.
evens_twice: pairs.transpose -> pairs[:, :, [0, 0]].transpose
    Your even rows stand in both halves. The odd ones, 1, 3, 5, ..., are missing.
first_head_only: _first_head_only
    You sort head 0 and leave the others as they were. Each head has pairs.
first_head_repeated: pairs.transpose -> pairs[:1].expand_as(pairs).transpose
    You repeat the rows of head 0 for all heads. Each head has rows of its own.
first_head_returned: pairs.transpose(1, 2).reshape(weight.shape) -> \
        pairs[0].transpose(0, 1).flatten(0, 1)
    You return the rows of head 0 alone. The matrix holds those of all heads: is your return inside
    the loop?
heads_reversed: pairs.transpose -> pairs.flip(0).transpose
    Your heads come in reversed order: the rows of head 0 should be on top.
head_dim_of_d_model: _head_dim_of_d_model
    Your head_dim is d_model // num_heads, which counts columns. The keys of a model with shared
    heads have fewer rows than columns: head_dim is len(weight) // num_heads.
sixty_four_rows: _sixty_four_rows
    You take 64 rows for a head, as SmolLM2 has. How many there are is len(weight) // num_heads.
sizes_exchanged: _sizes_exchanged
or: _pieces_of_num_heads
    You make head_dim heads of num_heads rows each. num_heads says how many there are; each has
    len(weight) // num_heads rows.
heads_in_turns: _heads_in_turns
    You sort as if the heads took turns, row 0 of each, then row 1 of each. The rows of a head lie
    together: split into (num_heads, head_dim), in this order.
heads_apart: reshape(weight.shape) -> reshape(num_heads, -1, weight.shape[1])
    Your answer has a dimension for the heads. A weight for torch.nn.Linear has two dimensions:
    merge the heads with their rows.
transposed: reshape(weight.shape) -> reshape(weight.shape).T
    Your answer is transposed. The rows change places; rows they stay.
second_half_negated: pairs.transpose -> (pairs * torch.tensor([[1.0], [-1.0]])).transpose
    You change the sign of the second half. That belongs to the rotation itself; here rows only
    change their places.
"""


# --- wrong versions -----------------------------------------------------------------------------


def _reordered(order):
    """A version that puts the rows of each head in another order: ``order(rows of a head)``."""

    def version(weight, num_heads):
        heads = weight.chunk(num_heads)
        return cat([head[order(arange(len(head)))] for head in heads])

    return version


def _evens_then_odds(rows):
    return cat((rows[::2], rows[1::2]))


def _odds_reversed(rows):
    return cat((rows[::2], rows[1::2].flip(0)))


def _columns(weight, num_heads):
    return weight[:, _evens_then_odds(arange(weight.shape[1]))]


def _columns_by_head(weight, num_heads):
    parts = weight.chunk(num_heads, dim=1)
    return cat([part[:, _evens_then_odds(arange(part.shape[1]))] for part in parts], dim=1)


def _first_head_only(weight, num_heads):
    first, *others = weight.chunk(num_heads)
    return cat((neighbours_to_halves(first, 1), *others))


def _head_dim_of_d_model(weight, num_heads):
    head_dim = weight.shape[1] // num_heads
    heads = [weight[h * head_dim : (h + 1) * head_dim] for h in range(num_heads)]
    return cat([head[_evens_then_odds(arange(len(head)))] for head in heads])


def _sixty_four_rows(weight, num_heads):
    heads = weight.split(64)
    return cat([head[_evens_then_odds(arange(len(head)))] for head in heads])


def _sizes_exchanged(weight, num_heads):
    return neighbours_to_halves(weight, len(weight) // num_heads)


def _pieces_of_num_heads(weight, num_heads):
    pieces = weight.split(num_heads)
    return cat([piece[_evens_then_odds(arange(len(piece)))] for piece in pieces])


def _overwritten(weight, num_heads):
    answer = weight.clone()
    for head in answer.chunk(num_heads):
        half = len(head) // 2
        head[:half] = head[::2].clone()
        head[half:] = head[1::2].clone()
    return answer


def _heads_in_turns(weight, num_heads):
    """As if row 0 of each head came first, then row 1 of each head."""
    heads = weight.reshape(-1, num_heads, weight.shape[1])  # (head_dim, num_heads, d_model)
    return heads[_evens_then_odds(arange(len(heads)))].reshape(weight.shape)


def _turned_round(weight, num_heads):
    return neighbours_to_halves(weight.T, num_heads).T


# --- what they are run on -----------------------------------------------------------------------


def _cases(*sizes, dtype=None):
    """(num_heads, head_dim, d_model or None for their product) each."""

    def make(generator):
        return [
            Case((randn(generator, heads * size, d_model or heads * size).to(dtype), heads))
            for heads, size, d_model in sizes
        ]

    return make


def _learns(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    return gradient_fault(EXERCISE, function, _cases((2, 6, 5))(generator))


EXERCISE = Exercise(
    lesson="16",
    number=4,
    reference=neighbours_to_halves,
    returns={"reordered": "the shape of weight"},
    library=(change_pairing,),
    properties=(
        Property(
            "of one head, rows 0, 2, 4, ... come first, and then rows 1, 3, 5, ...",
            1,
            _cases((1, 6, None), (1, 8, None)),
        ),
        Property(
            "the same holds in each head, and no row leaves its head",
            2,
            _cases((2, 6, None), (3, 8, None), (4, 6, None)),
        ),
        Property(
            "d_model may be larger than the matrix has rows, as for shared keys, or smaller",
            1,
            _cases((2, 6, 24), (3, 6, 36), (2, 8, 6)),
        ),
        Property(
            "the same holds for heads of two rows, or four, or many, and in float64",
            1,
            lambda generator: (
                _cases((3, 2, None), (2, 4, None), (3, 32, 3))(generator)
                + _cases((2, 10, 20), dtype=float64)(generator)
            ),
        ),
        Property("gradients reach weight", 1, judge=_learns),
    ),
    mistakes=(MISTAKES, detached("weight")),
)
