"""Lesson 02: from X to query, key and value, to scores, weights and output."""

from dataclasses import dataclass

import torch

from course_lib.data.small_example import NUM_HEADS, TOKENS, W_KEY, W_QUERY, W_VALUE, X
from course_lib.figures.drawings.canvas import Canvas, shape_of
from course_lib.figures.drawings.drawing import Drawing
from course_lib.figures.drawings.rules import Answers, Dot, Mix, Rule, Softmax
from course_lib.validation.layer_inputs import check_flags

FOLLOWED = TOKENS.index("bank")
HEAD_DIM = len(W_QUERY) // NUM_HEADS
HIGH = 16  # the height of a row
HALF = HIGH * len(TOKENS) / 2  # of a grid
CELL, SCORE, DECIMALS, WEIGHT = (18, HIGH), (24, HIGH), (32, HIGH), (31, HIGH)


@dataclass(frozen=True)
class HeadExample:
    """One head of the course's sentence."""

    x: torch.Tensor  # (8, 4)
    w_query: torch.Tensor  # (2, 4), as the other matrices
    w_key: torch.Tensor
    w_value: torch.Tensor
    query: torch.Tensor  # (8, 2), as key and value
    key: torch.Tensor
    value: torch.Tensor
    scores: torch.Tensor  # (8, 8)
    weights: torch.Tensor  # (8, 8)
    output: torch.Tensor  # (8, 2)


def head_example(head: int = 0) -> HeadExample:
    """Compute head 0, which looks for water, or head 1, which looks for money."""
    x = X.double()
    rows = slice(head * HEAD_DIM, (head + 1) * HEAD_DIM)
    w_query, w_key, w_value = (w[rows].double() for w in (W_QUERY, W_KEY, W_VALUE))
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T  # (8, 2) each
    scores = query @ key.T / HEAD_DIM**0.5  # (8, 8)
    weights = torch.softmax(scores, dim=-1)
    output = weights @ value
    return HeadExample(x, w_query, w_key, w_value, query, key, value, scores, weights, output)


ROWS = {"query": 104, "key": 292, "value": 480}  # the height at which each role is drawn
MIDDLE, LOW = 198, 416  # of the scores, and of weights and output
QUESTIONS = {
    "query": "what do I look for?",
    "key": "what can I be found by?",
    "value": "what do I hand over?",
}


def single_head(lit: str | None = None, *, solved: bool = True) -> Drawing:
    """Draw how data flow through one head of the course's sentence: 8 tokens, 4 numbers each.

    ``lit``: input, query, key, value, scores, weights or output.
    ``solved=False`` leaves shapes and numbers to be found.
    """
    check_flags(solved=solved)
    example = head_example()
    canvas = Canvas("input", "query", "key", "value", "scores", "weights", "output")

    def title(part: str, x: float, y: float, name: str, role: str, tensor: torch.Tensor) -> None:
        if solved:
            canvas[part].title(x, y, name, role, tensor)
        else:
            canvas[part].name(x, y, name, role)

    part, top = canvas["input"], ROWS["key"] - HALF
    part.signed(78, top, example.x, "input", CELL, FOLLOWED, strength=0.5, name="X")
    part.rows("X", TOKENS)
    title("input", 114, top - 10, "X", "input", example.x)
    part.arrow("input", (153, ROWS["key"]), (172, ROWS["key"]), tip=False)
    part.arrow("input", (172, ROWS["query"] - 1), (172, ROWS["value"] + 1), tip=False)
    part.note(18, 428, "framed: “bank”", "start framed")
    part.lines(18, 448, "Numbers made", "by hand", kind="start")
    for role, y in ROWS.items():
        part, letter, tensor = canvas[role], role[0].upper(), getattr(example, role)
        part.arrow(role, (172, y), (243, y))
        part.operation(208, y, f"W_{letter}", role, 46)
        row = FOLLOWED if role == "query" else None
        part.signed(254, y - HALF, tensor, role, CELL, row, strength=0.5, name=letter)
        title(role, 272, y - HALF - 8, letter, role, tensor)
        part.note(262, y + HALF + 15, QUESTIONS[role])
        if solved:
            part.note(208, y + 28, shape_of(getattr(example, f"w_{role}")))
            part.write(254, y - HALF, tensor, CELL)
    words = "Q Kᵀ / √2" if solved else "Q Kᵀ / √d_k"
    _draw_scores(canvas, example, words)
    title("scores", 410, 110, "scores", "scores", example.scores)
    title("weights", 386, 338, "weights", "weights", example.weights)
    title("output", 864, LOW - HALF - 8, "output", "output", example.output)
    if solved:
        canvas["input"].write(78, top, example.x, CELL)
        canvas["scores"].write(448, MIDDLE - HALF, example.scores, SCORE, 1)
        canvas["weights"].write(420, LOW - HALF, example.weights, WEIGHT, 2, FOLLOWED, True)
        canvas["output"].write(832, LOW - HALF, example.output, DECIMALS, 2, FOLLOWED)
    canvas.answers = _answers(example, "√2" if solved else "√d_k", to_find=not solved)
    sentences = [
        "X holds one row of four numbers for each of the 8 tokens of the sentence. Three matrices, "
        "W_Q, W_K and W_V, project X to the queries Q, the keys K and the values V. Each query is "
        "multiplied with each key, and divided by the root of the head's size, which gives the "
        "scores. The softmax turns each row of scores into weights that add up to 1. Weights times "
        "values give the output, one row for each token; the row of 'bank' is framed all the way."
    ]
    if solved:
        (first, second), bank = example.output[FOLLOWED].tolist(), example.weights[FOLLOWED]
        sentences.append(
            f"'bank' gives 'river' a weight of {bank[TOKENS.index('river')]:.2f}, and its output "
            f"is {first:.2f} of water and {second:.2f} of deed. Shapes: X {shape_of(example.x)}, "
            f"Q, K, V and output {shape_of(example.query)}, scores and weights "
            f"{shape_of(example.scores)}."
        )
    rows = (
        f"X > W_Q & W_K & W_V > Q & K & V > {words} > scores > softmax > weights > "
        "weights V > output"
    )
    return canvas.drawing("One attention head", sentences, 572, lit, rows=rows)


def _answers(example: HeadExample, root: str, to_find: bool) -> Answers:
    letters = {"Q": "query", "K": "key", "V": "value"}
    tensors = {"X": example.x, "scores": example.scores, "weights": example.weights}
    tensors |= {letter: getattr(example, role) for letter, role in letters.items()}
    tensors |= {f"W_{x}": getattr(example, f"w_{role}") for x, role in letters.items()}
    tensors["output"] = example.output
    rules: dict[str, Rule] = {letter: Dot("X", f"W_{letter}") for letter in letters}
    rules |= {
        "scores": Dot("Q", "K", HEAD_DIM**0.5, root),
        "weights": Softmax("scores"),
        "output": Mix(("weights", "weights"), "V"),
    }
    called = letters | {"scores": "score", "weights": "weight"}
    return Answers(TOKENS, tensors, rules, called, to_find)


def _draw_scores(canvas: Canvas, example: HeadExample, words: str) -> None:
    """Draw what follows the projections: scores, weights and output."""
    part = canvas["scores"]
    part.arrow("query", (293, ROWS["query"]), (352, ROWS["query"]), (352, MIDDLE - 19))
    part.arrow("key", (293, ROWS["key"]), (352, ROWS["key"]), (352, MIDDLE + 19))
    part.operation(352, MIDDLE, words, "scores", 78)
    part.arrow("scores", (391, MIDDLE), (406, MIDDLE))
    top, low, scores = MIDDLE - HALF, LOW - HALF, example.scores
    part.signed(448, top, scores, "scores", SCORE, FOLLOWED, strength=0.5, name="scores")
    part.rows("scores", TOKENS, columns=True)
    part.lines(504, top + 144, "a row for each", "query, a column", "for each key", kind="end")

    part = canvas["weights"]
    part.arrow("scores", (544, MIDDLE + HALF + 3), (544, 277), tip=False)
    part.arrow("weights", (544, 288), (544, low - 11))
    part.operation(544, 288, "softmax", "weights", 66)
    part.weights(420, low, example.weights, WEIGHT, FOLLOWED, name="weights")
    part.rows("weights", TOKENS, columns=True)
    part.note(544, LOW + HALF + 17, "each row adds up to 1", "narrow")
    part.lines(676, low - 26, "each row", "adds up to 1", kind="start wide")

    part = canvas["output"]
    part.arrow("weights", (671, LOW), (685, LOW))
    part.arrow("value", (293, 520), (734, 520), (734, LOW + 19))
    part.operation(734, LOW, "weights V", "output", 84)
    part.arrow("output", (776, LOW), (821, LOW))
    part.signed(832, low, example.output, "output", DECIMALS, FOLLOWED, strength=0.5, name="output")
    part.rows("output", TOKENS, "narrow")
    part.lines(896, LOW + HALF + 18, "each row a", "mix of values", kind="end")
