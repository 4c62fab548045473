"""Lesson 07, exercise 2: a row of a learned table for each place."""

import torch
from torch import float32, float64

from course_lib.attention.positions import LearnedPositions
from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.gradient import cut_off, gradient_fault


def add_learned(x, table, offset):
    end = offset + x.shape[1]
    return x + table[offset:end]  # (length, d_model) broadcasts over the batch


def _numbered_on(x, table, offset):
    places = offset + torch.arange(x.shape[0] * x.shape[1]).view(x.shape[:2])
    return x + table[places % len(table)]


def _cases(*sizes, dtype=float32):
    """Of (batch, length, d_model), max_len, offset."""

    def cases(generator):
        made = []
        for shape, max_len, offset in sizes:
            x = randn(generator, *shape, dtype=dtype)
            table = randn(generator, max_len, shape[-1], dtype=dtype)
            made.append(Case((x, table, offset)))
        return made

    return cases


def _learns(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    return gradient_fault(EXERCISE, function, _cases(((2, 3, 4), 8, 0))(generator))


EXERCISE = Exercise(
    lesson="07",
    number=2,
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
            lambda generator: [
                *_cases(((2, 5, 3), 5, 0), ((3, 2, 4), 8, 6), dtype=float64)(generator),
                *_cases(((2, 3, 2), 3000, 2900))(generator),
            ],
        ),
        Property("gradients reach the tokens and the table", 1, judge=_learns),
    ),
    mistakes=(
        Mistake(
            "by_batch",
            "You index the table by the sentence: all tokens of a sentence get one row. The batch "
            "is x.shape[0], the length x.shape[1].",
            lambda x, table, offset: x + table[offset:][: x.shape[0], None],
        ),
        Mistake(
            "offset_ignored",
            "You begin with row 0 whatever the offset is: each new token behind a cache would "
            "believe that it stands first.",
            lambda x, table, offset: x + table[: x.shape[1]],
        ),
        Mistake(
            "sliced_by_batch",
            "You take as many rows as there are sentences. Where a batch is as large as a sentence "
            "is long this is even right: the length is x.shape[1].",
            lambda x, table, offset: x + table[offset : offset + x.shape[0]],
        ),
        Mistake(
            "one_too_far",
            "Your rows begin one too far on: the first token stands at offset itself, which may be "
            "0, since places are counted from 0.",
            lambda x, table, offset: x + table[offset + 1 : offset + 1 + x.shape[1]],
        ),
        Mistake(
            "one_too_early",
            "Your rows begin one too early: the first token stands at offset itself, since places "
            "are counted from 0.",
            lambda x, table, offset: add_learned(x, table, max(offset - 1, 0)),
        ),
        Mistake(
            "offset_for_one_token",
            "You use the offset only when a single token comes. Several may come behind a cache "
            "too, such as a prompt in two parts.",
            lambda x, table, offset: add_learned(x, table, offset if x.shape[1] == 1 else 0),
        ),
        Mistake(
            "rolled_on",
            "You roll the table the wrong way: row 0 moves on to row offset. The first token needs "
            "row offset itself: table[offset:].",
            lambda x, table, offset: x + table.roll(offset, 0)[: x.shape[1]],
        ),
        Mistake(
            "sliced_by_features",
            "You take as many rows as a token has features. How many tokens there are is "
            "x.shape[1].",
            lambda x, table, offset: x + table[offset : offset + x.shape[2]],
        ),
        Mistake(
            "numbered_on",
            "Your places are numbered on from one sentence to the next. Each sentence begins at "
            "offset: (length, d_model) broadcasts over the batch.",
            _numbered_on,
        ),
        Mistake(
            "first_sentence_only",
            "Only your first sentence gets its rows. (length, d_model) beside (batch, length, "
            "d_model) broadcasts over the whole batch.",
            lambda x, table, offset: torch.cat([add_learned(x[:1], table, offset), x[1:]]),
        ),
        Mistake(
            "without_batch",
            "You return one sentence of the batch, (length, d_model). All of them are asked for.",
            lambda x, table, offset: add_learned(x, table, offset)[0],
        ),
        Mistake(
            "summed_up",
            "You add to each token the sum of all rows up to its own. It gets its own row alone.",
            lambda x, table, offset: add_learned(x, table.cumsum(0), offset),
        ),
        Mistake(
            "scaled",
            "You multiply the rows by sqrt(d_model). The paper does that to the embeddings of the "
            "tokens; here the rows are added as they are.",
            lambda x, table, offset: add_learned(x, table * x.shape[-1] ** 0.5, offset),
        ),
        Mistake(
            "one_row",
            "All your tokens get one row, that of the offset. It is the place of the first token; "
            "the next one stands one further.",
            lambda x, table, offset: x + table[offset],
        ),
        Mistake(
            "end_without_offset",
            "Your slice ends at the length. With an offset it has to end at offset + length; "
            "yours has too few rows, and a single one broadcasts without an error.",
            lambda x, table, offset: x + table[offset : x.shape[1]],
        ),
        Mistake(
            "last_rows",
            "You take the last rows of the table. A text of 3 tokens stands in the places 0, 1 "
            "and 2, however many rows there are.",
            lambda x, table, offset: x + table[len(table) - x.shape[1] :],
        ),
        Mistake(
            "counted_back",
            "Your rows are in the wrong order: the last token gets the row of the offset, the "
            "first one the highest.",
            lambda x, table, offset: x + table[offset : offset + x.shape[1]].flip(0),
        ),
        Mistake(
            "rows_alone",
            "You return the rows of the table and forget the tokens: the answer is their sum.",
            lambda x, table, offset: 0 * x + table[offset : offset + x.shape[1]],
        ),
        Mistake(
            "multiplied",
            "You multiply each token by its row. It should be added.",
            lambda x, table, offset: x * table[offset : offset + x.shape[1]],
        ),
        Mistake(
            "subtracted",
            "You subtract the rows. A model could learn that as well, but the table is another.",
            lambda x, table, offset: x - table[offset : offset + x.shape[1]],
        ),
        Mistake(
            "cut_off",
            cut_off("x", "table"),
            lambda x, table, offset: add_learned(x, table.detach(), offset),
        ),
    ),
)
