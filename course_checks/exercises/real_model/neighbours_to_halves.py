"""Lesson 16, exercise 4: rows of a matrix in the order of another rotary convention."""

from torch import float64

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.judge.gradient import detached


def neighbours_to_halves(weight, num_heads):
    pairs = weight.reshape(num_heads, -1, 2, weight.shape[1])  # (heads, pair, 2, d_model)
    return pairs.transpose(1, 2).reshape(weight.shape)


MISTAKES = """
other_direction: num_heads, -1, 2 -> num_heads, 2, -1
    You go the other way, from halves to neighbours. The first of each pair should fill the first
    half. (With 4 rows a head both directions are the same.)
whole_matrix: num_heads, -1, 2 -> 1, -1, 2
    You sort all rows of the matrix at once. Sort within each head: its head_dim rows stay together.
other_direction_whole_matrix: num_heads, -1, 2 -> 1, 2, -1
    You go the other way, from halves to neighbours, and over the whole matrix at once.
columns: lambda weight, num_heads: torch.cat((weight[:, ::2], weight[:, 1::2]), dim=1)
or: lambda weight, num_heads: torch.cat([part[:, i::2] for part in weight.chunk(num_heads, 1) for \
        i in (0, 1)], 1)
or: lambda weight, num_heads: neighbours_to_halves(weight.T, num_heads).T
    You sort columns, the features that come in. The pairs are among those that come out: rows.
odd_first: pairs.transpose -> pairs.flip(2).transpose
    Your odd rows come first, and every pair turns backwards. Rows 0, 2, 4, ... belong there.
halves_exchanged: num_heads, -1, 2 -> num_heads, 2, -1 && transpose(1, 2) -> flip(1)
or: lambda weight, num_heads: weight.roll(len(weight) // 2, 0)
    You exchange the two halves of each head. The rows of each pair come into different halves.
pairs_exchanged: transpose(1, 2) -> flip(2)
    You exchange the two rows of each pair. They belong half a head apart.
reversed: transpose(1, 2) -> flip(1, 2)
or: lambda weight, num_heads: weight.flip(0)
or: pairs.transpose(1, 2).reshape -> \
                torch.stack((pairs[:, :, 0], pairs[:, :, 1].flip(1)), 1).reshape
or: transpose(1, 2) -> transpose(1, 2).flip(1, 2)
    You turn rows round. Rows 0, 2, 4, ... come first, then rows 1, 3, 5, ..., each in this order.
unchanged: lambda weight, num_heads: weight.clone()
    Your rows stand where they stood. In each head rows 0, 2, 4, ... come first, and then rows 1, 3,
    5, ....
evens_only: pairs.transpose(1, 2).reshape(weight.shape) -> pairs[:, :, 0].flatten(0, 1)
    You keep the even rows only. The odd ones follow behind them.
overwritten: return pairs.transpose(1, 2).reshape(weight.shape) -> rows = weight.unflatten(0, \
        (num_heads, -1)); evens = rows[:, ::2]; now = torch.cat((evens, rows[:, evens.shape[1] \
        :]), 1); return torch.cat((evens, now[:, 1::2]), 1).flatten(0, 1)
    You read odd rows from where you have written already. Write into another tensor.
evens_twice: pairs.transpose -> pairs[:, :, [0, 0]].transpose
    Your even rows stand in both halves. The odd ones, 1, 3, 5, ..., are missing.
first_head_only: pairs.transpose(1, 2).reshape(weight.shape) -> \
                torch.cat((pairs[:1].transpose(1, 2).flatten(0, 2), pairs[1:].flatten(0, 2)))
    You sort head 0 and leave the others as they were. Each head has pairs.
first_head_repeated: pairs.transpose -> pairs[:1].expand_as(pairs).transpose
or: pairs.transpose(1, 2).reshape(weight.shape) -> \
        pairs[0].transpose(0, 1).flatten(0, 1)
    You return the rows of head 0 alone, or for all heads. Each has rows of its own: is your return
    inside the loop?
heads_reversed: pairs.transpose -> pairs.flip(0).transpose
    Your heads come in reversed order: the rows of head 0 should be on top.
head_dim_of_d_model: lambda weight, num_heads: torch.cat([weight[h * n : (h + 1) * n][i::2] for n \
        in [weight.shape[1] // num_heads] for h in range(num_heads) for i in (0, 1)])
    Your head_dim is d_model // num_heads, which counts columns. It is len(weight) // num_heads.
sixty_four_rows: lambda weight, num_heads: torch.cat([rows[i::2] for rows in weight.split(64) for \
        i in (0, 1)])
    You take 64 rows for a head, as SmolLM2 has. How many there are is len(weight) // num_heads.
sizes_exchanged: num_heads, -1, 2 -> len(weight) // num_heads, -1, 2
or: lambda weight, num_heads: torch.cat([rows[i::2] for rows in weight.split(num_heads) for i in \
        (0, 1)])
    You make head_dim heads of num_heads rows each. num_heads says how many heads there are.
heads_in_turns: lambda weight, num_heads: torch.cat([weight.unflatten(0, (-1, num_heads))[i::2] \
        for i in (0, 1)]).flatten(0, 1)
    You sort as if the heads took turns. The rows of a head lie together: (num_heads, head_dim).
heads_apart: reshape(weight.shape) -> reshape(num_heads, -1, weight.shape[1])
    Your answer has a dimension for the heads. Merge the heads with their rows.
transposed: reshape(weight.shape) -> reshape(weight.shape).T
    Your answer is transposed. The rows change places; rows they stay.
second_half_negated: pairs.transpose -> (pairs * torch.tensor([[1.0], [-1.0]])).transpose
    You change the sign of the second half. Here rows only change their places.
"""


def _cases(*sizes, dtype=None):
    """(num_heads, head_dim, d_model or None for their product) each."""

    return lambda generator: [
        Case((randn(generator, heads * size, d_model or heads * size).to(dtype), heads))
        for heads, size, d_model in sizes
    ]


EXERCISE = Exercise(
    reference=neighbours_to_halves,
    returns={"reordered": "the shape of weight"},
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
            all_of(
                _cases((3, 2, None), (2, 4, None), (3, 32, 3)), _cases((2, 10, 20), dtype=float64)
            ),
        ),
        Property("gradients reach weight", 1, gradient=_cases((2, 6, 5))),
    ),
    mistakes=(MISTAKES, detached("weight")),
)
