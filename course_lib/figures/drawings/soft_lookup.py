"""Lesson 01: a look-up that compares a query with every key and mixes the values."""

from types import SimpleNamespace

import torch

from course_lib.figures.drawings.canvas import Canvas, Part
from course_lib.figures.drawings.drawing import Drawing
from course_lib.validation.layer_inputs import check_flags

ANIMALS = ["cat", "mouse", "wolf", "horse"]
CELL = (46, 28)
TOP = 140  # where the rows of the animals begin
MIDDLE = TOP + 2 * CELL[1]


def lookup_example() -> SimpleNamespace:
    """The kitten of lesson 01 asks four animals how fast they run: scale 1, as in the lesson."""
    query = torch.tensor([[-1.2, 0.9]], dtype=torch.float64)  # (1, 2): size and tameness
    key = torch.tensor([[-1.0, 1.2], [-1.6, -0.6], [0.6, -1.5], [1.6, 0.8]], dtype=torch.float64)
    value = torch.tensor([[48.0], [13.0], [60.0], [70.0]], dtype=torch.float64)  # km/h
    scores = key @ query.T  # (4, 1): a column, as the animals stand
    weights = torch.softmax(scores, dim=0)  # (4, 1)
    output = weights.T @ value  # (1, 1)
    return SimpleNamespace(
        query=query, key=key, value=value, scores=scores, weights=weights, output=output
    )


def soft_lookup(*, solved: bool = True) -> Drawing:
    """Draw one row of attention: a query of 2 numbers, 4 keys and 4 values.

    ``solved=False`` leaves scores, weights and output to be predicted.
    """
    check_flags(solved=solved)
    example = lookup_example()
    canvas = Canvas("query", "key", "scores", "weights", "value", "output")

    part = canvas["query"]
    part.name(138, 22, "query", "query")
    part.note(115, 44, "size")
    part.note(161, 44, "tame")
    part.note(84, 70, "kitten", "end")
    _numbers(part, 92, 52, example.query, "query", 1)
    part.arrow("query", (189, 66), (264, 66), (264, MIDDLE - 19))

    part = canvas["key"]
    part.name(138, TOP - 12, "keys", "key")
    part.lines(84, TOP + 18, *ANIMALS, kind="end", step=CELL[1])
    _numbers(part, 92, TOP, example.key, "key", 1)
    part.arrow("key", (189, MIDDLE), (210, MIDDLE))

    part = canvas["scores"]
    part.operation(264, MIDDLE, "dot product", "scores", 92)
    part.arrow("scores", (310, MIDDLE), (333, MIDDLE))
    part.name(367, TOP - 12, "scores", "scores")
    _numbers(part, 344, TOP, example.scores, "scores", 2, solved)
    part.lines(367, TOP + 134, "how well does", "each key match?")

    part = canvas["weights"]
    part.arrow("scores", (395, MIDDLE), (446, MIDDLE), tip=False)
    part.arrow("weights", (446, MIDDLE), (497, MIDDLE))
    part.operation(446, MIDDLE, "softmax", "weights", 66)
    part.name(531, TOP - 12, "weights", "weights")
    _numbers(part, 508, TOP, example.weights, "weights", 2, solved)
    part.lines(534, TOP + 134, "shares, which", "add up to 1")

    part = canvas["value"]
    bottom = TOP + 144
    part.name(686, bottom + 132, "values", "value")
    part.note(686, bottom + 148, "top speed, km/h")
    part.lines(655, bottom + 18, *ANIMALS, kind="end", step=CELL[1])
    _numbers(part, 663, bottom, example.value, "value", 0)
    part.arrow("value", (686, bottom - 4), (686, MIDDLE + 19))

    part = canvas["output"]
    part.arrow("weights", (559, MIDDLE), (612, MIDDLE))
    part.operation(686, MIDDLE, "weights × values", "output", 134)
    part.arrow("output", (753, MIDDLE), (787, MIDDLE))
    part.name(821, TOP + 26, "output", "output")
    _numbers(part, 798, TOP + 42, example.output, "output", 1, solved)
    part.lines(821, TOP + 92, "a mix of", "the values")
    sentences = [
        "A query of two numbers, the size and the tameness of a kitten, is compared with four "
        "keys, those of cat, mouse, wolf and horse.",
        "The dot product with each key gives a score, and the softmax turns the scores into "
        "weights, which are shares and add up to 1.",
        "Each weight is multiplied with the value of its animal, a top speed.",
        "The sum of these products is the output.",
    ]
    if solved:
        listed = ", ".join(
            f"{animal} {score:.2f} and {weight:.2f}"
            for animal, score, weight in zip(
                ANIMALS, example.scores.flatten(), example.weights.flatten(), strict=True
            )
        )
        sentences.append(f"Scores and weights: {listed}; output {example.output.item():.1f}.")
    else:
        sentences.append("Scores, weights and output are left to be found.")
    rows = (
        "query & keys > dot product > scores > softmax > weights & values > weights × values "
        "> output"
    )
    return canvas.drawing("A soft look-up", sentences, TOP + 304, rows=rows)


def _numbers(
    part: Part,
    x: float,
    y: float,
    tensor: torch.Tensor,
    role: str,
    decimals: int,
    solved: bool = True,
) -> None:
    """Draw a matrix with its numbers; with question marks if it is not solved."""
    if not solved:
        part.grid(x, y, torch.zeros_like(tensor), role, CELL)
    elif role == "weights":
        part.weights(x, y, tensor, CELL)
    elif tensor.min() < 0:
        part.signed(x, y, tensor, role, CELL, strength=0.5)
    else:
        part.grid(x, y, 0.5 * tensor / 70, role, CELL)  # km/h, up to the horse's
    width, height = CELL
    for i, row in enumerate(tensor.tolist()):
        for j, number in enumerate(row):
            words = f"{number:.{decimals}f}".replace("-", "−") if solved else "?"
            at = (x + (j + 0.5) * width, y + (i + 0.5) * height + 4)
            part.number(*at, number, words, is_weight=role == "weights" and solved)
