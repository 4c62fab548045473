"""Lesson 07, exercise 2: a row of a learned table for each place."""

import torch
from torch import float32, float64

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.judge.gradient import detached
from course_lib.attention.positions import LearnedPositions


def add_learned(x, table, offset):
    end = offset + x.shape[1]
    return x + table[offset:end]  # (length, d_model) broadcasts over the batch


MISTAKES = """
by_batch: table[offset:end] -> table[offset:][: x.shape[0], None]
    You index the table by the sentence: all tokens of a sentence get one row. The batch is
    x.shape[0], the length x.shape[1].
offset_ignored: table[offset:end] -> table[: x.shape[1]]
    You begin with row 0 whatever the offset is: each new token behind a cache would believe that it
    stands first.
sliced_by_batch: x.shape[1] -> x.shape[0]
    You take as many rows as there are sentences. Where a batch is as large as a sentence is long
    this is even right: the length is x.shape[1].
one_too_far: table[offset:end] -> table[offset + 1 : end + 1]
    Your rows begin one too far on: the first token stands at offset itself, which may be 0, since
    places are counted from 0.
one_too_early: lambda x, table, offset: add_learned(x, table, max(offset - 1, 0))
    Your rows begin one too early: the first token stands at offset itself, since places are counted
    from 0.
offset_for_one_token: lambda x, table, offset: \
        add_learned(x, table, offset if x.shape[1] == 1 else 0)
    You use the offset only when a single token comes. Several may come behind a cache too, such as
    a prompt in two parts.
rolled_on: table[offset:end] -> table.roll(offset, 0)[: x.shape[1]]
    You roll the table the wrong way: row 0 moves on to row offset. The first token needs row offset
    itself: table[offset:].
sliced_by_features: x.shape[1] -> x.shape[2]
or: table[offset:end] -> table.narrow(0, offset, x.shape[2])
    You take as many rows as a token has features. How many tokens there are is x.shape[1].
numbered_on: _numbered_on
    Your places are numbered on from one sentence to the next. Each sentence begins at offset:
    (length, d_model) broadcasts over the batch.
first_sentence_only: lambda x, table, offset: torch.cat([add_learned(x[:1], table, offset), x[1:]])
    Only your first sentence gets its rows. (length, d_model) beside (batch, length, d_model)
    broadcasts over the whole batch.
without_batch: return x -> return x[0]
    You return one sentence of the batch, (length, d_model). All of them are asked for.
summed_up: table[offset:end] -> table.cumsum(0)[offset:end]
    You add to each token the sum of all rows up to its own. It gets its own row alone.
scaled: table[offset:end] -> table[offset:end] * x.shape[-1] ** 0.5
    You multiply the rows by sqrt(d_model). The paper does that to the embeddings of the tokens;
    here the rows are added as they are.
one_row: offset:end -> offset
    All your tokens get one row, that of the offset. It is the place of the first token; the next
    one stands one further.
end_without_offset: offset + x.shape[1] -> x.shape[1]
    Your slice ends at the length. With an offset it has to end at offset + length; yours has too
    few rows, and a single one broadcasts without an error.
last_rows: table[offset:end] -> table[len(table) - x.shape[1] :]
    You take the last rows of the table. A text of 3 tokens stands in the places 0, 1 and 2, however
    many rows there are.
counted_back: table[offset:end] -> table[offset:end].flip(0)
    Your rows are in the wrong order: the last token gets the row of the offset, the first one the
    highest.
rows_alone: return x -> return 0 * x
    You return the rows of the table and forget the tokens: the answer is their sum.
multiplied: x + table -> x * table
    You multiply each token by its row. It should be added.
"""


def _numbered_on(x, table, offset):
    places = offset + torch.arange(x.shape[0] * x.shape[1]).view(x.shape[:2])
    return x + table[places % len(table)]


def _cases(*sizes, dtype=float32):
    """Of (batch, length, d_model), max_len, offset."""

    def cases(generator):
        for shape, max_len, offset in sizes:
            x = randn(generator, *shape, dtype=dtype)
            table = randn(generator, max_len, shape[-1], dtype=dtype)
            yield Case((x, table, offset))

    return cases


EXERCISE = Exercise(
    reference=add_learned,
    returns={"answer": "the shape of x"},
    library=(LearnedPositions.forward,),
    properties=(
        Property(
            "token t of each sentence gets row t of the table",
            2,
            _cases(((1, 2, 2), 3, 0), ((2, 4, 3), 7, 0), ((5, 3, 2), 9, 0), ((3, 3, 4), 6, 0)),
        ),
        Property(
            "behind a cache, token t gets row offset + t",
            1,
            _cases(((1, 1, 2), 4, 2), ((2, 3, 4), 8, 2), ((3, 2, 5), 10, 7), ((4, 5, 3), 9, 1)),
        ),
        Property(
            "the table may be used up to its last row, in float64 too",
            1,
            all_of(
                _cases(((2, 5, 3), 5, 0), ((3, 2, 4), 8, 6), dtype=float64),
                _cases(((2, 3, 2), 3000, 2900)),
            ),
        ),
        Property("gradients reach the tokens and the table", 1, gradient=_cases(((2, 3, 4), 8, 0))),
    ),
    mistakes=(MISTAKES, detached("x", "table")),
)
