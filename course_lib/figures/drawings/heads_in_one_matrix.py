"""Lesson 04: one matrix for all heads, cut into bands, and the two reshapes."""

import torch

from course_lib.figures.drawings.canvas import Canvas, Drawing, Part, shape_of
from course_lib.figures.drawings.single_head import HeadExample, head_example, random_matrix

NUM_HEADS, D_MODEL, LENGTH = 4, 64, 6
FOLLOWED = 2  # the head that is framed from its rows of the matrices on
HEAD_DIM = D_MODEL // NUM_HEADS
CELL, SMALL = (2, 10), (2, 5)
ROWS = {"query": 96, "key": 252, "value": 408}  # the height at which each role is drawn


def one_matrix_example() -> tuple[HeadExample, list[torch.Tensor]]:
    """Project one sentence by whole matrices, and attend in each head apart.

    The scores, weights and output of the first are those of a single wide head, and not drawn.
    """
    whole = head_example(LENGTH, D_MODEL, D_MODEL)
    heads = zip(
        *(t.split(HEAD_DIM, dim=-1) for t in (whole.query, whole.key, whole.value)), strict=True
    )
    outputs = []
    for query, key, value in heads:  # (LENGTH, HEAD_DIM) each
        outputs.append(torch.softmax(query @ key.T / HEAD_DIM**0.5, dim=-1) @ value)
    return whole, outputs


def heads_in_one_matrix(lit: str | None = None) -> Drawing:
    """Draw how 4 heads lie in three matrices: 6 tokens, d_model 64, head_dim 16.

    Args:
        lit: the part at hand, which stands out: input, matrices, split, attention, combine
            or output. None shows all alike.

    Raises:
        ValueError: lit is none of the parts.
    """
    whole, outputs = one_matrix_example()
    canvas = Canvas("input", "matrices", "split", "attention", "combine", "output")
    middle = ROWS["key"]

    part = canvas["input"]
    part.signed(18, middle - 30, whole.x, "input", CELL)
    part.title(82, middle - 40, "X", "input", whole.x)
    part.note(82, middle + 48, "a row for each token")
    part.arrow("input", (149, middle), (164, middle), tip=False)
    part.arrow("input", (164, ROWS["query"] - 1), (164, ROWS["value"] + 1), tip=False)
    part.note(18, ROWS["query"] - 56, "framed: head 2", "start")
    part.note(18, ROWS["value"] + 56, "Random vectors,", "start")
    part.note(18, ROWS["value"] + 72, "untrained heads.", "start")

    for role, y in ROWS.items():
        _draw_role(canvas, role, y, whole)
    _draw_attention(canvas["attention"], outputs)
    joined = torch.cat(outputs, dim=-1)  # (LENGTH, D_MODEL)
    output = joined @ (random_matrix(D_MODEL, D_MODEL, 4) / D_MODEL**0.5).T
    part, low = canvas["combine"], ROWS["value"]
    part.arrow("output", (722, middle + 72), (722, 337), tip=False)
    part.operation(722, 348, "combine", "output", 72)
    part.arrow("output", (722, 360), (722, low - 40))
    part.signed(658, low - 30, joined, "output", CELL)
    _cut(part, 658, low, "output")
    part.note(722, low + 82, f"side by side, {shape_of(joined)}")

    part = canvas["output"]
    part.arrow("output", (788, low), (836, low), (836, 181))
    part.operation(836, middle + 40, "W_O", "output", 46)
    part.note(806, middle + 44.5, "64 × 64", "end")
    part.signed(764, 110, output, "output", CELL)
    part.title(828, 100, "output", "output", output)
    sentences = [
        "X holds one row for each of the 6 tokens of a sentence, random numbers here.",
        "Three matrices, W_Q, W_K and W_V, of 64 by 64 numbers project it; each, as nn.Linear "
        "stores it, is cut into four bands of 16 rows, one band for each of the four untrained "
        "heads.",
        "In Q, K and V the heads are therefore bands of 16 columns.",
        "The split puts the bands on top of each other, so that each head has a query, a key and a "
        "value of its own, and attends by itself.",
        "Combining puts the four outputs side by side again, and W_O mixes them.",
        "Head 2 is framed from its rows of the matrices to its columns of the joined output.",
        f"Shapes: X, Q, K and V {shape_of(whole.x)}, each head {LENGTH} × {HEAD_DIM}, side by side "
        f"and output {shape_of(joined)}.",
    ]
    return canvas.drawing("Four heads in one matrix", sentences, 504, lit, seam=485)


def _cut(part: Part, x: float, y: float, role: str) -> None:
    """Cut a grid of all heads, centred on y, into bands of columns, and number them."""
    part.note(x + 64, y + 64, "heads, 16 columns each")
    part.frame(x + 32 * FOLLOWED, y - 30, 32, 60)
    for i in range(NUM_HEADS):
        part.note(x + 32 * i + 16, y + 46, str(i))
        if i > 0:
            part.divider(role, x + 32 * i, y - 30, y + 30)


def _draw_role(canvas: Canvas, role: str, y: float, whole: HeadExample) -> None:
    """Draw the matrix of one role, what it makes of X, and the heads in it."""
    part, letter, tensor = canvas["matrices"], role[0].upper(), getattr(whole, role)
    part.arrow(role, (164, y), (176, y))
    part.bands(187, y - 48, 128, 96, role, [f"head {i}" for i in range(NUM_HEADS)])
    part.frame(189, y - 48 + 24 * FOLLOWED, 124, 24)
    part.note(251, y + 64, "16 rows each")
    part.name(224, y - 56, f"W_{letter}", role)
    part.note(278, y - 56, shape_of(getattr(whole, f"w_{role}")))
    part.arrow(role, (318, y), (339, y))
    part.signed(350, y - 30, tensor, role, CELL)
    _cut(part, 350, y, role)
    part.name(387, y - 40, letter, role)
    part.note(431, y - 40, shape_of(tensor))

    part = canvas["split"]
    part.arrow(role, (481, y), (555, y))
    part.operation(515, y, "split", role, 48)
    part.frame(566, y - 66 + 34 * FOLLOWED, 32, 30)
    for i, head in enumerate(tensor.split(HEAD_DIM, dim=-1)):
        part.signed(566, y - 66 + 34 * i, head, role, SMALL)
    if role == "value":
        part.note(582, y + 90, f"{LENGTH} × {HEAD_DIM} each")


def _draw_attention(part: Part, outputs: list[torch.Tensor]) -> None:
    middle = ROWS["key"]
    for role, y in ROWS.items():
        if role != "key":
            part.arrow(role, (601, y), (648, y), (648, middle + (19 if y > middle else -19)))
    part.arrow("key", (601, middle), (612, middle), tip=False)
    part.operation(648, middle, "attention", "weights", 72)
    part.arrow("output", (684, middle), (695, middle))
    part.frame(706, middle - 66 + 34 * FOLLOWED, 32, 30)
    for i, output in enumerate(outputs):
        part.signed(706, middle - 66 + 34 * i, output, "output", SMALL)
