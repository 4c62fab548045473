"""Lesson 04: one matrix for all heads, cut into bands, and the two reshapes."""

import torch

from course_lib.data import small_example
from course_lib.data.small_example import NUM_HEADS, TOKENS, W_OUT
from course_lib.figures.drawings.canvas import Canvas, shape_of
from course_lib.figures.drawings.drawing import Drawing
from course_lib.figures.drawings.many_heads import heads_example
from course_lib.figures.drawings.rules import Answers, Dot, Mix, Softmax, Taken
from course_lib.figures.drawings.single_head import FOLLOWED, HEAD_DIM

HIGH = 16  # the height of a row
TALL = HIGH * len(TOKENS)
CELL, SQUARE, DECIMALS, SMALL, WEIGHT = (18, HIGH), (18, 18), (32, HIGH), (14, 10), (10, 10)
ROWS = {"query": 112, "key": 312, "value": 512}  # the height at which each role is drawn


def one_matrix_example() -> dict[str, tuple[torch.Tensor, torch.Tensor]]:
    """The matrix of each role (4, 4), and what it makes of the course's sentence, (8, 4)."""
    matrices = {role: getattr(small_example, f"W_{role.upper()}").double() for role in ROWS}
    return {role: (w, small_example.X.double() @ w.T) for role, w in matrices.items()}


def heads_in_one_matrix() -> Drawing:
    """Draw how the course's 2 heads lie in three matrices: 8 tokens, d_model 4, head_dim 2."""
    heads, joined, output = heads_example()
    canvas = Canvas("input", "matrices", "split", "attention", "combine", "output")
    middle = ROWS["key"]

    part, x, top = canvas["input"], heads[0].x, middle - TALL / 2
    part.table(70, top, x, "input", CELL, row=FOLLOWED, name="X")
    part.rows("X", TOKENS)
    part.title(106, top - 10, "X", "input", x)
    part.arrow("input", (145, middle), (160, middle), tip=False)
    part.arrow("input", (160, ROWS["query"] - 1), (160, ROWS["value"] + 1), tip=False)
    part.lines(14, 40, "framed: head 0,", "and the row of “bank”", kind="start framed", step=16)
    part.note(14, 600, "Numbers made by hand", "start")

    for role, (matrix, tensor) in one_matrix_example().items():
        _draw_role(canvas, role, matrix, tensor)

    part = canvas["attention"]
    for role, y in (("query", ROWS["query"]), ("value", ROWS["value"])):
        part.arrow(role, (586, y), (632, y), (632, middle + (19 if y > middle else -19)))
    part.arrow("key", (586, middle), (596, middle), tip=False)
    part.operation(632, middle, "attention", "output", 76)
    part.arrow("output", (670, middle), (687, middle))
    part.frame(698, middle - 84, 28, 80)
    part.arrow("weights", (656, middle - 12), (656, 221))
    part.title(686, 38, "weights", "weights", heads[0].weights)
    for i, head in enumerate(heads):
        part.signed(698, middle - 84 + 88 * i, head.output, "output", SMALL, name=f"output {i}")
        part.weights(646, 46 + 84 * i, head.weights, WEIGHT, FOLLOWED, name=f"weights {i}")
        part.note(732, 90 + 84 * i, str(i), "start")

    part, low = canvas["combine"], ROWS["value"] + 8
    part.arrow("output", (712, middle + 87), (712, middle + 94), tip=False)
    part.operation(712, middle + 106, "combine", "output", 72)
    part.arrow("output", (712, middle + 118), (712, low - TALL / 2 - 11))
    bank = {"row": FOLLOWED, "only": FOLLOWED}
    part.table(648, low - TALL / 2, joined, "output", DECIMALS, 2, name="side by side", **bank)
    part.rows("side by side", TOKENS, "narrow")
    part.frame(650, low - TALL / 2, 60, TALL)
    part.note(712, low + TALL / 2 + 16, f"side by side, {shape_of(joined)}")

    part = canvas["output"]
    part.arrow("output", (779, low), (830, low), (830, middle + 43))
    part.table(798, middle - 32, W_OUT, "output", (16, 16), name="W_O")
    part.name(791, middle - 4, "W_O", "output", "name end")
    part.note(791, middle + 12, shape_of(W_OUT), "end")
    part.arrow("output", (830, middle - 35), (830, 195))
    part.table(766, 120 - TALL / 2, output, "output", DECIMALS, 2, name="output", **bank)
    part.rows("output", TOKENS, "narrow")
    for column in (0, 3):  # where W_O puts what head 0 hands over
        part.frame(768 + 32 * column, 120 - TALL / 2, 28, TALL)
    part.title(830, 46, "output", "output", output)
    canvas.answers = _answers()
    sentences = [
        "X holds one row of 4 numbers for each of the 8 tokens of the sentence.",
        "Three matrices, W_Q, W_K and W_V, of 4 by 4 numbers project it; each, as nn.Linear "
        "stores it, is cut into two bands of 2 rows, one band for each of the two heads.",
        "In Q, K and V the heads are therefore bands of 2 columns.",
        "The split puts the bands on top of each other, so that each head has a query, a key and a "
        f"value of its own, and attends by itself, with weights of {shape_of(heads[0].weights)}.",
        "Combining puts the two outputs side by side again, and W_O sorts them.",
        "Head 0 is framed from its rows of the matrices to its columns of the output.",
        f"Shapes: X, Q, K and V {shape_of(x)}, each head {shape_of(heads[0].query)}, side by side "
        f"and output {shape_of(joined)}.",
    ]
    rows = (
        "X > W_Q & W_K & W_V > Q & K & V > split & split & split > query 0 & key 0 & value 0 "
        "> weights 0 & attention & output 0 > combine & side by side > W_O & output"
    )
    return canvas.drawing("Two heads in one matrix", sentences, 624, rows=rows)


def _answers() -> Answers:
    heads, joined, output = heads_example()
    tensors = {"X": heads[0].x, "side by side": joined, "output": output, "W_O": W_OUT}
    outputs = tuple(f"output {i}" for i in range(NUM_HEADS))
    rules: dict = {"output": Dot("side by side", "W_O"), "side by side": Taken(outputs)}
    called = {f"weights {i}": "weight" for i in range(NUM_HEADS)}
    for role, (matrix, tensor) in one_matrix_example().items():
        letter = role[0].upper()
        tensors |= {f"W_{letter}": matrix, letter: tensor}
        rules[letter] = Dot("X", f"W_{letter}")
        called[letter] = role
        for i, head in enumerate(heads):
            tensors[f"{role} {i}"] = getattr(head, role)
            rules[f"{role} {i}"] = Taken((letter,), HEAD_DIM * i)
            called[f"{role} {i}"] = f"{role} of head {i}"
    for i, head in enumerate(heads):
        tensors |= {f"scores {i}": head.scores, f"weights {i}": head.weights}
        tensors[f"output {i}"] = head.output
        rules[f"weights {i}"] = Softmax(f"scores {i}")
        rules[f"output {i}"] = Mix((f"weights {i}",) * HEAD_DIM, f"value {i}")
        called[f"output {i}"] = f"output of head {i}"
    return Answers(TOKENS, tensors, rules, called)


def _draw_role(canvas: Canvas, role: str, matrix: torch.Tensor, tensor: torch.Tensor) -> None:
    """Draw the matrix of one role, what it makes of X, and the heads in it."""
    part, letter, y = canvas["matrices"], role[0].upper(), ROWS[role]
    part.arrow(role, (160, y), (187, y))
    part.table(198, y - 36, matrix, role, SQUARE, name=f"W_{letter}")
    part.frame(198, y - 36, 72, 36)
    part.title(234, y - 48, f"W_{letter}", role, matrix)
    for i in range(NUM_HEADS):
        part.note(274, y - 14 + 36 * i, f"head {i}", "start wide")
        part.note(274, y - 14 + 36 * i, f"{i}", "start narrow")
        part.note(358 + 36 * i, y + TALL / 2 + 15, str(i))
    part.arrow(role, (273, y), (329, y))
    top = y - TALL / 2
    part.table(340, top, tensor, role, CELL, row=FOLLOWED, only=FOLLOWED, name=letter)
    part.frame(340, top, 36, TALL)
    part.title(376, top - 10, letter, role, tensor)

    part = canvas["split"]
    part.arrow(role, (415, y), (543, y))
    part.operation(500, y, "split", role, 48)
    part.frame(554, y - 84, 28, 80)
    for i, head in enumerate(tensor.split(HEAD_DIM, dim=-1)):
        part.signed(554, y - 84 + 88 * i, head, role, SMALL, name=f"{role} {i}")
    if role == "value":
        part.note(568, y + 102, f"{shape_of(head)} each")
