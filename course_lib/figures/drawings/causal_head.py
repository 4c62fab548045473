"""Lesson 05: who sees whom. The mask hides the future before the softmax."""

import torch

from course_lib.attention.masks import causal_mask, masked_softmax
from course_lib.data.small_example import TOKENS
from course_lib.figures.drawings.canvas import UPRIGHT, Canvas, shape_of
from course_lib.figures.drawings.drawing import Drawing
from course_lib.figures.drawings.rules import Answers, Dot, Masked, Mix, Softmax
from course_lib.figures.drawings.single_head import FOLLOWED, HEAD_DIM, HeadExample, head_example

CELL, SCORE, SQUARE, DECIMALS = (18, 16), (21, 16), (16, 16), (28, 16)
TOP, LOW = 126, 352  # where the grids begin: those of scores and weights, and those below


def causal_example() -> tuple[HeadExample, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Head 0 of the sentence with its causal mask (True = may attend), weights and output."""
    head = head_example()
    mask = causal_mask(len(TOKENS))
    weights = masked_softmax(head.scores, mask)
    return head, mask, weights, weights @ head.value


def causal_head(lit: str | None = None) -> Drawing:
    """Draw what a causal mask does to head 0 of the course's sentence: 8 tokens, head_dim 2.

    ``lit``: scores, mask, weights, value or output.
    """
    head, mask, weights, output = causal_example()
    canvas = Canvas("scores", "mask", "weights", "value", "output")
    middle, low, above = TOP + 64, LOW + 64, TOP - UPRIGHT - 6

    part = canvas["scores"]
    part.table(86, TOP, head.scores, "scores", SCORE, 1, row=FOLLOWED, name="scores")
    part.rows("scores", TOKENS, columns=True)
    part.title(170, above, "scores", "scores", head.scores)
    part.lines(170, TOP + 146, "a row for each query,", "a column for each key")
    part.note(18, LOW + 168, "framed: the row of “bank”", "start framed")
    part.note(18, LOW + 152, "Numbers made by hand", "start")

    part = canvas["mask"]
    part.arrow("scores", (258, middle), (319, middle))
    part.arrow("input", (288, LOW - UPRIGHT - 2), (288, middle + 19))
    part.operation(288, middle, "hide", "scores", 48)
    part.grid(224, LOW, mask.double(), "input", SQUARE, FOLLOWED, name="mask")
    part.rows("mask", TOKENS, columns=True)
    part.title(384, low + 8, "mask", "input", mask)
    part.lines(288, LOW + 152, "full: True, may attend", "empty: False, the future", step=16)
    masked = {"row": FOLLOWED, "allowed": mask, "name": "masked scores"}
    part.table(330, TOP, head.scores, "scores", SCORE, 1, **masked)
    part.rows("masked scores", TOKENS, "narrow", columns=True)
    part.title(414, above, "masked scores", "scores", head.scores)
    part.note(414, TOP + 144, "−∞ on the future")

    part = canvas["weights"]
    part.arrow("scores", (502, middle), (539, middle), tip=False)
    part.arrow("weights", (539, middle), (579, middle))
    part.operation(539, middle, "softmax", "weights", 66)
    part.weights(590, TOP, weights, DECIMALS, FOLLOWED, mask, name="weights")
    part.rows("weights", TOKENS, "narrow", columns=True)
    part.title(702, above, "weights", "weights", weights)
    part.note(702, above - 36, "each row adds up to 1 and is exactly 0 on the future")

    part = canvas["value"]
    part.table(520, LOW, head.value, "value", CELL, name="V")
    part.title(538, LOW - 10, "V", "value", head.value)

    part = canvas["output"]
    part.arrow("weights", (702, TOP + 132), (702, low - 19))
    part.arrow("value", (559, low), (649, low))
    part.operation(702, low, "weights V", "output", 84)
    part.arrow("output", (744, low), (767, low))
    part.signed(778, LOW, output, "output", DECIMALS, FOLLOWED, strength=0.5, name="output")
    part.rows("output", TOKENS, "narrow")
    part.title(806, LOW - 10, "output", "output", output)
    part.lines(806, LOW + 152, "“bank” mixes the values", "of “The” and “bank” only", step=16)
    canvas.answers = Answers(
        TOKENS,
        {
            "scores": head.scores,
            "mask": mask,
            "masked scores": head.scores.masked_fill(~mask, -torch.inf),
            "weights": weights,
            "V": head.value,
            "output": output,
            "Q": head.query,
            "K": head.key,
        },
        {
            "scores": Dot("Q", "K", HEAD_DIM**0.5, "√2"),
            "masked scores": Masked("scores", "mask"),
            "weights": Softmax("masked scores"),
            "output": Mix(("weights", "weights"), "V"),
        },
        {"scores": "score", "masked scores": "masked score", "weights": "weight", "V": "value"},
    )
    sentences = [
        "The scores of one head have a row for each query and a column for each key, 8 of each.",
        "The mask is a table of the same shape, and True means may attend: the lower left half "
        "with the diagonal is full, and the upper right half, the future, is empty.",
        "It turns the scores of the future into minus infinity, so after the softmax their weights "
        "are exactly 0, and each row still adds up to 1.",
        "The weights mix the rows of V into the output: that of 'bank', the second token, mixes "
        "the values of 'The' and 'bank' only.",
        "The numbers are those of the course's sentence, made by hand.",
        f"Shapes: scores, mask and weights {shape_of(weights)}, V and output {shape_of(output)}.",
    ]
    rows = "scores > hide & mask > masked scores > softmax > weights > weights V & V > output"
    return canvas.drawing("A causal mask", sentences, 536, lit, rows=rows)
