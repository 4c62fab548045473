"""Lesson 03: two heads read the same sentence; their outputs side by side, and W_O."""

import torch

from course_lib.data.small_example import NUM_HEADS, TOKENS, W_OUT
from course_lib.figures.drawings.canvas import Canvas, Part, shape_of
from course_lib.figures.drawings.drawing import Drawing
from course_lib.figures.drawings.single_head import FOLLOWED, HEAD_DIM, HeadExample, head_example
from course_lib.validation.layer_inputs import check_flags

HIGH = 14  # the height of a row
TALL = HIGH * len(TOKENS)
CELL, SQUARE, DECIMALS = (18, HIGH), (HIGH, HIGH), (30, HIGH)
LANES = (122, 346)  # the height of each head
LEFT = {"query": 282, "key": 336, "value": 390, "weights": 462, "output": 606}
JOINED = 752  # where the joined outputs and the output begin
SOUGHT = ("river", "loan")  # where the row of "bank" is largest in each head


def heads_example() -> tuple[list[HeadExample], torch.Tensor, torch.Tensor]:
    """The two heads of the course's sentence, their joined outputs, and these mixed by W_O."""
    heads = [head_example(i) for i in range(NUM_HEADS)]
    joined = torch.cat([head.output for head in heads], dim=-1)  # (8, 4)
    return heads, joined, joined @ W_OUT.double().T


def many_heads(*, solved: bool = True) -> Drawing:
    """Draw how the course's sentence flows through two heads: 8 tokens, 4 numbers each.

    ``solved=False`` leaves to be found what comes of head 1.
    """
    check_flags(solved=solved)
    heads, joined, output = heads_example()
    canvas = Canvas("input", "heads", "joined", "output")
    middle = sum(LANES) / 2

    part, top = canvas["input"], middle - TALL / 2
    part.lines(66, top + 11, *TOKENS, kind="end", step=HIGH)
    part.table(74, top, heads[0].x, "input", CELL, row=FOLLOWED)
    part.title(110, top - 10, "X", "input", heads[0].x)
    part.arrow("input", (149, middle), (166, middle), tip=False)
    part.arrow("input", (166, LANES[0] - 1), (166, LANES[1] + 1), tip=False)
    part.note(14, 24, "shaded: head 0", "start")
    part.note(14, 432, "Numbers made by hand", "start")

    for i, head in enumerate(heads):
        _draw_head(canvas["heads"], i, head, solved or i == 0)
    part, (high, low) = canvas["joined"], LANES
    part.arrow("output", (690, high), (JOINED - 11, high))
    part.arrow("output", (669, high), (690, high), tip=False)
    part.arrow("output", (669, low), (690, low), (690, high), tip=False)
    top = high - TALL / 2
    part.title(JOINED + 60, top - 10, "side by side", "output", joined)
    part.band(JOINED - 6, top - 6, 66, TALL + 12)
    known = joined if solved else joined[:, :HEAD_DIM]
    part.table(JOINED, top, known, "output", DECIMALS, 2, row=FOLLOWED, only=FOLLOWED)
    if not solved:
        part.unknown(JOINED + 60, top, 60, TALL, "output")

    part, top = canvas["output"], low - TALL / 2
    part.arrow("output", (JOINED + 60, high + 60), (JOINED + 60, top - 47))
    part.operation(JOINED + 60, high + 83, "W_O", "output", 46)
    part.note(JOINED + 90, high + 87, shape_of(W_OUT), "start")
    part.title(JOINED + 60, top - 10, "output", "output", output)
    if solved:
        for column in (0, 3):  # where W_O puts what head 0 hands over
            part.band(JOINED + 30 * column - 2, top - 6, 34, TALL + 12)
        part.table(JOINED, top, output, "output", DECIMALS, 2, row=FOLLOWED, only=FOLLOWED)
    else:
        part.unknown(JOINED, top, 120, TALL, "output")
    part.lines(JOINED + 60, low + 80, "W_O sorts what", "the heads hand over")
    sentences = [
        "X holds one row of 4 numbers for each of the 8 tokens of the sentence.",
        "Two heads stand one above the other. Each takes X and has three matrices of its own, so "
        "it makes its own query, key and value, its own weights and its own output.",
        "The two outputs are put side by side, 2 numbers from each head; head 0 is shaded.",
        "The matrix W_O sorts them into the output.",
    ]
    if solved:
        largest = " and ".join(
            f"{head.weights[FOLLOWED, TOKENS.index(word)]:.2f} to '{word}' in head {i}"
            for i, (head, word) in enumerate(zip(heads, SOUGHT, strict=True))
        )
        sentences.append(f"'bank' gives {largest}.")
    else:
        sentences.append("What comes of head 1 is left to be found.")
    sentences.append(
        f"Shapes: X {shape_of(heads[0].x)}, query, key, value and output of each head "
        f"{shape_of(heads[0].query)}, weights of each head {shape_of(heads[0].weights)}, side by "
        f"side {shape_of(joined)}, output {shape_of(output)}."
    )
    rows = (
        "X > head 0 & head 1 > Q & Q > weights & weights > output & output > side by side > "
        "W_O > output"
    )
    return canvas.drawing("Two attention heads", sentences, 448, rows=rows)


def _draw_head(part: Part, i: int, head: HeadExample, solved: bool) -> None:
    middle = LANES[i]
    top = middle - TALL / 2
    if i == 0:
        part.band(180, top - 44, 494, TALL + 70)
    part.arrow("input", (166, middle), (271, middle))
    part.operation(218, middle, f"head {i}", "input", 60)
    part.arrow("weights", (429, middle), (451, middle))
    part.arrow("output", (577, middle), (595, middle))
    for role, x in LEFT.items():
        tensor = getattr(head, role)
        width = {"weights": HIGH * len(TOKENS), "output": 60}.get(role, 36)
        part.title(x + width / 2, top - 10, role[0].upper() if x < 400 else role, role, tensor)
        if x > 400 and not solved:
            part.unknown(x, top, width, TALL, role)
        elif role == "weights":
            part.weights(x, top, tensor, SQUARE, FOLLOWED)
            largest = tensor[FOLLOWED, TOKENS.index(SOUGHT[i])]
            part.note(x + width / 2, top + TALL + 18, f"“bank” to “{SOUGHT[i]}”: {largest:.2f}")
        else:
            cell, decimals = (DECIMALS, 2) if role == "output" else (CELL, 0)
            part.table(x, top, tensor, role, cell, decimals, row=FOLLOWED, only=FOLLOWED)
