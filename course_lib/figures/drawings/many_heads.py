"""Lesson 03: the same head eight times, side by side, and W_O."""

import torch

from course_lib.data.small_example import TOKENS
from course_lib.figures.drawings.canvas import Canvas, Drawing, shape_of
from course_lib.figures.drawings.single_head import HeadExample, head_example, random_matrix

NUM_HEADS, D_MODEL = 8, 64
FOLLOWED = 2  # the head that is framed all the way
STEP, TOP = 46, 66  # from one head to the next, and where the first begins
SMALL, CELL, SQUARE = (3, 4), (2, 13), (4, 4)


def heads_example() -> tuple[list[HeadExample], torch.Tensor, torch.Tensor]:
    """Eight untrained heads on one input, their joined outputs, and these mixed by W_O."""
    heads = [
        head_example(d_model=D_MODEL, head_dim=D_MODEL // NUM_HEADS, first_seed=1 + 3 * i)
        for i in range(NUM_HEADS)
    ]
    joined = torch.cat([head.output for head in heads], dim=-1)  # (8, d_model)
    w_out = random_matrix(D_MODEL, D_MODEL, 1 + 3 * NUM_HEADS) / D_MODEL**0.5
    return heads, joined, joined @ w_out.T


def many_heads(lit: str | None = None) -> Drawing:
    """Draw how data flow through eight heads: 8 tokens, d_model 64, head_dim 8.

    Args:
        lit: the part at hand, which stands out: input, heads, joined or output. None shows all
            alike.

    Raises:
        ValueError: lit is none of the parts.
    """
    heads, joined, output = heads_example()
    canvas = Canvas("input", "heads", "joined", "output")
    middle = TOP + (STEP * NUM_HEADS - 14) / 2

    part = canvas["input"]
    for i, token in enumerate(TOKENS):
        part.note(66, middle - 52 + 13 * i + 10.5, token, "end")
    part.signed(74, middle - 52, heads[0].x, "input", CELL)
    part.title(138, middle - 62, "X", "input", heads[0].x)
    part.arrow("input", (205, middle), (222, middle), tip=False)
    part.note(14, 26, "framed: head 2", "start")
    part.note(14, 410, "Random vectors,", "start")
    part.note(14, 426, "untrained heads.", "start")

    _draw_heads(canvas, heads)
    part = canvas["joined"]
    part.arrow("output", (532, middle), (552, middle))
    part.signed(563, middle - 52, joined, "output", CELL)
    part.title(627, middle - 62, "side by side", "output", joined)
    part.note(627, middle + 74, "8 numbers from each head")
    part.frame(563 + 16 * FOLLOWED, middle - 52, 16, 104)
    for i in range(1, NUM_HEADS):
        part.divider("output", 563 + 16 * i, middle - 52, middle + 52)

    part = canvas["output"]
    part.arrow("output", (694, middle), (758, middle))
    part.operation(721, middle, "W_O", "output", 46)
    part.note(721, middle + 28, "64 × 64")
    part.signed(769, middle - 52, output, "output", CELL)
    part.title(833, middle - 62, "output", "output", output)
    part.note(833, middle + 74, "W_O mixes the heads")
    sentences = [
        "X holds one row for each of the 8 tokens of the sentence, random numbers here.",
        "Eight untrained heads stand below each other. Each takes X and has three matrices of its "
        "own, so it makes its own query, key and value, its own weights and its own output.",
        "The eight outputs are put side by side, 8 numbers from each head; head 2 is framed.",
        "The matrix W_O mixes them into the output.",
        f"Shapes: X {shape_of(heads[0].x)}, query, key, value and output of each head "
        f"{shape_of(heads[0].query)}, weights of each head {shape_of(heads[0].weights)}, side by "
        f"side {shape_of(joined)}, output {shape_of(output)}.",
    ]
    height = TOP + STEP * NUM_HEADS + 14
    return canvas.drawing("Eight attention heads", sentences, height, lit, seam=540)


def _draw_heads(canvas: Canvas, heads: list[HeadExample]) -> None:
    part, first = canvas["heads"], heads[0]
    left = {"query": 304, "key": 338, "value": 372, "weights": 420, "output": 490}
    for role, x in left.items():
        width = 32 if role == "weights" else 24
        part.name(x + width / 2, 28, role[0].upper() if x < 400 else role, role)
        if role in ("key", "weights", "output"):
            each = " each" if role == "key" else ""
            part.note(x + width / 2, 46, shape_of(getattr(first, role)) + each)
    for i, head in enumerate(heads):
        y = TOP + STEP * i
        part.arrow("input", (222, y + 16), (294, y + 16))
        part.operation(255, y + 16, f"head {i}", "input", 56)
        for role in ("query", "key", "value", "output"):
            part.signed(left[role], y, getattr(head, role), role, SMALL)
            if i == FOLLOWED:
                part.frame(left[role], y, 24, 32)
        part.arrow("weights", (399, y + 16), (409, y + 16))
        part.weights(left["weights"], y, head.weights, SQUARE)
        if i == FOLLOWED:
            part.frame(left["weights"], y, 32, 32)
        part.arrow("output", (455, y + 16), (479, y + 16))
        part.arrow("output", (517, y + 16), (532, y + 16), tip=False)
    bottom = TOP + STEP * (len(heads) - 1) + 16
    part.arrow("input", (222, TOP + 15), (222, bottom + 1), tip=False)
    part.arrow("output", (532, TOP + 15), (532, bottom + 1), tip=False)
