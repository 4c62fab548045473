"""Lesson 07: two ways by which positions enter one head, each at its own point."""

from types import SimpleNamespace

import torch

from course_lib.attention.positions import sinusoidal_table
from course_lib.data.small_example import FEATURES, TOKENS
from course_lib.figures.drawings.canvas import Canvas, shape_of
from course_lib.figures.drawings.drawing import Drawing
from course_lib.figures.drawings.single_head import FOLLOWED, HeadExample, head_example

WIDE, CELL, SQUARE, ANGLE = (24, 14), (16, 9), (13, 13), (26, 14)
ROWS = {"query": 258, "key": 370, "value": 482}  # the height at which each role is drawn
TOP = 56  # where the two tensors of the positions begin
ADDED, TURNED = 192, 384  # where each of them stands, and enters below


def positions_example() -> SimpleNamespace:
    """What 8 positions bring into a head of size 2: one tensor for each way in."""
    position = torch.arange(len(TOKENS)).double()
    return SimpleNamespace(
        # (8, 4): a sinusoidal vector for each position
        added=sinusoidal_table(len(TOKENS), len(FEATURES)).double(),
        # (8, 1): by how much rotary positions turn the one pair, in radians
        angles=position[:, None],
    )


def where_positions_enter() -> Drawing:
    """Draw one head, and where sinusoidal, learned and rotary positions enter it."""
    head, positions = head_example(), positions_example()
    canvas = Canvas("head", "added", "rotary")
    _draw_head(canvas, head)

    part = canvas["added"]
    part.name(ADDED, TOP - 42, "1 · vectors", "input")
    part.lines(ADDED, TOP - 26, "sinusoidal or learned", shape_of(positions.added))
    part.signed(ADDED - 48, TOP, positions.added, "input", WIDE)
    part.arrow("input", (ADDED, TOP + 116), (ADDED, ROWS["key"] - 19))
    part.operation(ADDED, ROWS["key"], "add", "input", 38)

    part = canvas["rotary"]
    part.name(TURNED, TOP - 42, "2 · angles", "input")
    part.lines(TURNED, TOP - 26, "rotary", shape_of(positions.angles))
    shades = 0.5 * positions.angles / positions.angles.max()
    part.grid(TURNED - 13, TOP, shades, "input", ANGLE)
    part.write(TURNED - 13, TOP, positions.angles, ANGLE)
    part.arrow("input", (TURNED, TOP + 116), (TURNED, ROWS["query"] - 19))
    part.arrow("input", (TURNED, ROWS["query"] + 12), (TURNED, ROWS["key"] - 19))
    for role in ("query", "key"):
        part.operation(TURNED, ROWS[role], "turn", "input", 44)

    sentences = [
        "One head from X to its output, and two ways by which positions may enter; most models "
        "take one of them.",
        "First, a vector for each position, sinusoidal or learned, is added to X, before W_Q, W_K "
        "and W_V.",
        "Second, rotary positions turn the rows of Q and K, here one pair of numbers each, by an "
        "angle of one radian for each position, behind W_Q and W_K; V is not turned.",
        f"Shapes: X and vectors {shape_of(positions.added)}, Q, K and V {shape_of(head.query)}, "
        f"angles {shape_of(positions.angles)}, scores {shape_of(head.scores)}.",
        "The head is head 0 of lesson 02, drawn without positions; the row of 'bank' is framed.",
    ]
    rows = (
        "X & 1 · vectors > add > W_V & W_Q & W_K > V & Q & K > 2 · angles & turn & turn > Q "
        "Kᵀ / √2 > scores > softmax > weights > weights V > [and on to the output] > [framed: "
        "the row of “bank”]"
    )
    return canvas.drawing("Where positions enter a head", sentences, 546, rows=rows)


def _draw_head(canvas: Canvas, head: HeadExample) -> None:
    part, key_row = canvas["head"], ROWS["key"]
    part.lines(62, key_row - 56 + 11, *TOKENS, kind="end", step=14)
    part.table(68, key_row - 56, head.x, "input", WIDE, row=FOLLOWED)
    part.note(14, 526, "framed: the row of “bank”", "start")
    part.title(116, key_row - 66, "X", "input", head.x)
    part.arrow("input", (165, key_row), (173, key_row), tip=False)
    part.arrow("input", (211, key_row), (228, key_row), tip=False)
    part.arrow("input", (228, ROWS["query"] - 1), (228, ROWS["value"] + 1), tip=False)
    for role, y in ROWS.items():
        letter = role[0].upper()
        part.arrow(role, (228, y), (293, y))
        part.operation(256, y, f"W_{letter}", role, 38)
        row = FOLLOWED if role == "query" else None
        part.signed(304, y - 36, getattr(head, role), role, CELL, row)
        part.name(320, y - 44, letter, role)
    part.note(320, ROWS["value"] + 52, f"Q, K and V: {shape_of(head.query)} each")

    middle = (ROWS["query"] + key_row) / 2
    for role in ("query", "key"):
        y = ROWS[role]
        part.arrow(role, (339, y), (362, y), tip=False)
        end = middle - 19 if y < middle else middle + 19
        part.arrow(role, (406, y), (460, y), (460, end))
    part.operation(460, middle, "Q Kᵀ / √2", "scores", 84)
    part.arrow("scores", (502, middle), (507, middle), tip=False)
    part.signed(509, middle - 52, head.scores, "scores", SQUARE, FOLLOWED)
    part.title(561, middle - 62, "scores", "scores", head.scores)
    part.arrow("scores", (614, middle), (701, middle), tip=False)
    part.arrow("weights", (701, middle), (765, middle))
    part.operation(730, middle, "softmax", "weights", 66)
    part.weights(776, middle - 52, head.weights, SQUARE, FOLLOWED)
    part.title(828, middle - 62, "weights", "weights", head.weights)
    part.arrow("weights", (828, middle + 54), (828, ROWS["value"] - 19))
    part.arrow("value", (339, ROWS["value"]), (779, ROWS["value"]))
    part.operation(828, ROWS["value"], "weights V", "output", 84)
    part.lines(828, ROWS["value"] + 30, "and on", "to the output")
    part.note(14, 542, "hollow: below 0", "start")
    part.note(575, 526, "Two ways in; most models take one of them.")
