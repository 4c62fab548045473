"""Lesson 05: who sees whom. The mask hides the future before the softmax."""

import torch

from course_lib.attention.masks import causal_mask, masked_softmax
from course_lib.data.small_example import TOKENS
from course_lib.figures.drawings.canvas import Canvas, Drawing, shape_of
from course_lib.figures.drawings.single_head import FOLLOWED, HeadExample, head_example

CELL, SQUARE = (2, 16), (16, 16)
TOP = 104  # where the grids begin


def causal_example() -> tuple[HeadExample, torch.Tensor, torch.Tensor, torch.Tensor]:
    """The head of lesson 02 with its causal mask (True = may attend), weights and output."""
    head = head_example()
    mask = causal_mask(len(TOKENS))
    weights = masked_softmax(head.scores, mask)
    return head, mask, weights, weights @ head.value


def causal_head(lit: str | None = None) -> Drawing:
    """Draw what a causal mask does to one head: 8 tokens, head_dim 16.

    Args:
        lit: the part at hand, which stands out: scores, mask, weights, value or output. None
            shows all alike.

    Raises:
        ValueError: lit is none of the parts.
    """
    head, mask, weights, output = causal_example()
    canvas = Canvas("scores", "mask", "weights", "value", "output")
    middle = TOP + 64

    part = canvas["scores"]
    for i, token in enumerate(TOKENS):
        part.note(76, TOP + 16 * i + 12, token, "end")
    part.signed(86, TOP, head.scores, "weights", SQUARE, FOLLOWED)
    part.title(150, TOP - 12, "scores", "weights", head.scores)
    part.note(150, TOP + 146, "a row for each query,")
    part.note(150, TOP + 161, "a column for each key")
    part.note(18, 308, "framed: the row of “bank”", "start")
    part.note(640, 452, "Random vectors, untrained head:", "start")
    part.note(640, 468, "computed, and without a meaning.", "start")

    part = canvas["mask"]
    part.arrow("weights", (218, middle), (299, middle))
    part.arrow("input", (262, 298), (262, middle + 19))
    part.operation(262, middle, "hide", "weights", 48)
    part.grid(198, 300, mask.double(), "input", SQUARE, FOLLOWED)
    part.title(156, 374, "mask", "input", mask)
    part.note(262, 452, "full: True, may attend")
    part.note(262, 468, "empty: False, the future")
    part.signed(310, TOP, head.scores, "weights", SQUARE, FOLLOWED, mask)
    part.title(374, TOP - 12, "masked scores", "weights", head.scores)
    part.note(374, TOP + 146, "−∞ on the future")

    part = canvas["weights"]
    part.arrow("weights", (442, middle), (535, middle))
    part.operation(486, middle, "softmax", "weights", 64)
    part.weights(546, TOP, weights, SQUARE, FOLLOWED, mask)
    part.title(610, TOP - 12, "weights", "weights", weights)
    part.note(610, 44, "each row adds up to 1")
    part.note(694, middle - 40, "exactly 0", "start")
    part.note(694, middle - 25, "on the future", "start")

    part = canvas["value"]
    part.signed(454, 300, head.value, "value", CELL)
    part.title(420, 374, "V", "value", head.value)

    part = canvas["output"]
    part.arrow("weights", (610, TOP + 132), (610, 345))
    part.arrow("value", (489, 364), (557, 364))
    part.operation(610, 364, "weights V", "output", 84)
    part.arrow("output", (652, 364), (731, 364))
    part.signed(742, 300, output, "output", CELL, FOLLOWED)
    part.title(758, 292, "output", "output", output)
    part.note(786, 336, "“bank” mixes the", "start")
    part.note(786, 351, "values of “The”", "start")
    part.note(786, 366, "and “bank” only", "start")
    sentences = [
        "The scores of one head have a row for each query and a column for each key, 8 of each.",
        "The mask is a table of the same shape, and True means may attend: the lower left half "
        "with the diagonal is full, and the upper right half, the future, is empty.",
        "It turns the scores of the future into minus infinity, so after the softmax their weights "
        "are exactly 0, and each row still adds up to 1.",
        "The weights mix the rows of V into the output: that of 'bank', the second token, mixes "
        "the values of 'The' and 'bank' only.",
        "X is random here, and the head untrained.",
        f"Shapes: scores, mask and weights {shape_of(weights)}, V and output {shape_of(output)}.",
    ]
    return canvas.drawing("A causal mask", sentences, 484, lit, seam=528)
