"""Lesson 05: who sees whom. The mask hides the future before the softmax."""

import torch

from course_lib.attention.masks import causal_mask, masked_softmax
from course_lib.data.small_example import TOKENS
from course_lib.figures.drawings.canvas import UPRIGHT, Canvas, shape_of
from course_lib.figures.drawings.drawing import Drawing
from course_lib.figures.drawings.rules import Answers, Dot, Masked, Mix, Softmax
from course_lib.figures.drawings.single_head import FOLLOWED, HEAD_DIM, HeadExample, head_example

CELL, SCORE, SQUARE, DECIMALS, WEIGHT = (18, 16), (24, 16), (16, 16), (31, 16), (30, 16)
TOP, LOW = 92, 318  # where the grids begin: those of scores and values, and those below


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
    middle, low = TOP + 64, LOW + 64

    part = canvas["scores"]
    part.table(76, TOP, head.scores, "scores", SCORE, 1, row=FOLLOWED, name="scores")
    part.rows("scores", TOKENS, columns=True)
    part.title(38, TOP - 24, "scores", "scores", head.scores)
    part.lines(172, TOP + 146, "a row for each query,", "a column for each key")
    part.note(18, LOW + 168, "framed: the row of “bank”", "start framed")
    part.note(18, LOW + 152, "Numbers made by hand", "start")

    part = canvas["mask"]
    part.arrow("scores", (271, middle), (337, middle))
    part.arrow("input", (302, LOW - UPRIGHT - 2), (302, middle + 19))
    part.operation(302, middle, "hide", "scores", 48)
    part.grid(238, LOW, mask.double(), "input", SQUARE, FOLLOWED, name="mask")
    part.rows("mask", TOKENS, columns=True)
    part.title(206, LOW - 24, "mask", "input", mask)
    part.lines(302, LOW + 152, "full: True, may attend", "empty: False, the future", step=16)
    masked = {"row": FOLLOWED, "allowed": mask, "name": "masked scores"}
    part.table(380, TOP, head.scores, "scores", SCORE, 1, **masked)
    part.rows("masked scores", TOKENS, columns=True)
    part.name(340, TOP - 56, "masked", "scores")
    part.title(340, TOP - 24, "scores", "scores", head.scores)
    part.note(440, TOP + 144, "−∞ on the future")

    part = canvas["weights"]
    part.arrow("scores", (540, TOP + 131), (540, TOP + 151), tip=False)
    part.arrow("weights", (540, TOP + 162), (540, LOW - 11))
    part.operation(540, TOP + 162, "softmax", "weights", 66)
    part.weights(450, LOW, weights, WEIGHT, FOLLOWED, mask, name="weights")
    part.rows("weights", TOKENS, columns=True)
    part.title(414, LOW - 24, "weights", "weights", weights)
    part.lines(570, LOW + 146, "each row adds up to 1, and", "is exactly 0 on the future")

    part = canvas["value"]
    part.table(732, TOP, head.value, "value", CELL, name="V")
    part.rows("V", TOKENS, "wide")
    part.title(750, TOP - 10, "V", "value", head.value)

    part = canvas["output"]
    part.arrow("weights", (693, low), (701, low))
    part.arrow("value", (750, TOP + 131), (750, low - 19))
    part.operation(750, low, "weights V", "output", 84)
    part.arrow("output", (792, low), (821, low))
    part.signed(832, LOW, output, "output", DECIMALS, FOLLOWED, strength=0.5, name="output")
    part.rows("output", TOKENS, "narrow")
    part.title(863, LOW - 10, "output", "output", output)
    part.lines(894, LOW + 146, "“bank” mixes the values", "of “The” and “bank” only", kind="end")
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
    rows = "scores > hide & mask > masked scores > softmax > weights > output & weights V & V"
    return canvas.drawing("A causal mask", sentences, 502, lit, rows=rows)
