"""Lesson 12: a block of queries meets one block of keys after the other, and what is kept."""

import torch

from course_lib.attention.online_softmax import PartialSoftmax, merge, partial_softmax
from course_lib.data.small_example import TOKENS
from course_lib.figures.drawings.canvas import Canvas, shape_of
from course_lib.figures.drawings.drawing import Drawing
from course_lib.figures.drawings.single_head import FOLLOWED, HeadExample, head_example

BLOCK = 2  # tokens in a block
ROWS, COLUMNS = 0, 2  # which block of queries is at work, and which block of keys it meets
CELL, SQUARE, TURNED, DECIMALS = (16, 18), (18, 18), (18, 16), (30, 18)
TOP, LEFT = 132, 222  # the upper left corner of the table


def tiles_example() -> tuple[HeadExample, list[torch.Tensor], list[PartialSoftmax]]:
    """Head 0 of lesson 02, the tiles of one block of queries, and what is kept after each."""
    head = head_example()
    rows = head.scores[BLOCK * ROWS : BLOCK * (ROWS + 1)]  # (2, 8)
    tiles = list(rows.split(BLOCK, dim=-1))  # 4 of (2, 2)
    kept: list[PartialSoftmax] = []
    for tile, value in zip(tiles, head.value.split(BLOCK), strict=True):
        part = partial_softmax(tile, value)
        kept.append(merge(kept[-1], part) if kept else part)
    return head, tiles, kept


def attention_in_tiles(lit: str | None = None) -> Drawing:
    """Draw one step of attention in tiles: 8 tokens, blocks of 2, head_dim 2.

    ``lit``: blocks, tile, kept or output.
    """
    head, tiles, kept = tiles_example()
    canvas = Canvas("blocks", "tile", "kept", "output")
    step, side = BLOCK * SQUARE[0], 8 * SQUARE[0]
    row, column = TOP + ROWS * step, LEFT + COLUMNS * step  # the corner of the tile at work

    part = canvas["blocks"]
    part.lines(96, TOP + 13, *TOKENS, kind="end", step=SQUARE[1])
    part.table(104, TOP, head.query, "query", CELL)
    part.frame(104, row, 32, step)
    part.title(120, TOP - 12, "Q", "query", head.query)
    part.table(LEFT, TOP - 48, head.key.T, "key", TURNED)
    part.frame(column, TOP - 48, step, 32)
    part.title(LEFT + side / 2, 50, "K", "key", head.key)
    part.note(LEFT + side / 2, 68, "a column for each key")
    part.table(LEFT, TOP + side + 16, head.value.T, "value", TURNED)
    part.frame(column, TOP + side + 16, step, 32)
    part.title(LEFT + side / 2, TOP + side + 86, "V", "value", head.value)
    part.note(LEFT + side / 2, TOP + side + 104, "a column for each key")
    part.lines(
        18,
        396,
        "framed: the block of queries at work, and the keys and values",
        "that it meets now. The numbers are made by hand.",
        kind="start",
        step=16,
    )

    part = canvas["tile"]
    for i in range(4):
        for j in range(4):
            x, y = LEFT + j * step + 2, TOP + i * step + 2
            cell = (SQUARE[0] - 2, SQUARE[1] - 2)
            if (i, j) == (ROWS, COLUMNS):
                shades = torch.exp(tiles[j] - kept[j].maximum)
                part.grid(x, y, shades, "input", cell)
            else:
                is_done = i < ROWS or (i == ROWS and j < COLUMNS)
                part.grid(x, y, torch.zeros(BLOCK, BLOCK), "input", cell)
                if is_done:
                    part.note(x + cell[0], y + cell[1] + 4, "✓")
    part.frame(LEFT + COLUMNS * step, row, step, step)
    legend = ("filled: the tile at work", "✓: done, and forgotten", "empty: still to come")
    part.lines(494, TOP + side + 8, *legend, kind="start", step=16)

    part = canvas["kept"]
    part.arrow("output", (LEFT + side + 4, row + step / 2), (483, row + step / 2))
    part.operation(430, row + step / 2, "merge", "output", 56)
    seen = kept[COLUMNS]
    part.signed(496, row, seen.maximum, "scores", DECIMALS, strength=0.5)
    part.grid(556, row, 0.5 * seen.total / seen.total.max(), "input", DECIMALS)
    part.signed(612, row, seen.weighted, "output", DECIMALS, strength=0.5)
    for x, tensor, words in (
        (496, seen.maximum, "maximum"),
        (556, seen.total, "total"),
        (612, seen.weighted, "weighted"),
    ):
        middle = x + 15 * tensor.shape[1]
        part.write(x, row, tensor, DECIMALS, 2, FOLLOWED % BLOCK)
        part.note(middle, row - 12, words)
        part.note(middle, row + 54, shape_of(tensor))
    part.name(584, row - 34, "kept for the block", "output")

    part = canvas["output"]
    part.arrow("output", (676, row + step / 2), (773, row + step / 2))
    part.operation(722, row + step / 2, "÷ total", "output", 64)
    part.lines(722, row + 54, "at the end", "of the row")
    written = head.output.clone()
    written[BLOCK * (ROWS + 1) :] = 0.0  # not yet
    part.table(784, TOP, written, "output", DECIMALS, 2, only=FOLLOWED)
    part.frame(784, row, 60, step)
    part.title(814, TOP - 12, "output", "output", head.output)
    sentences = [
        "On the left Q, a row for each of 8 tokens; above the table K and below it V, with a "
        "column for each key. All three are cut into blocks of 2 tokens.",
        "Between them lies the table of 8 by 8 scores, cut into 16 tiles of 2 by 2. Only one "
        "tile exists at a time, here the third of the first row: those before it are done and "
        "forgotten, those after it are still to come.",
        "The tile is merged into what is kept for its 2 queries: the maximum, 2 by 1, the total, "
        "2 by 1, and the weighted values, 2 by 2.",
        "At the end of the row of tiles the weighted values are divided by the total, and 2 rows "
        "of the output, 8 by 2, are done.",
        "It is head 0 of the course's sentence, and the numbers written are those of 'bank'.",
    ]
    rows = "{blocks tile} > merge > maximum > ÷ total > output"
    return canvas.drawing("Attention in tiles", sentences, 424, lit, rows=rows)
