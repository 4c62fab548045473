"""Lesson 02: from X to query, key and value, to scores, weights and output."""

from dataclasses import dataclass, fields

import torch

from course_lib.data.small_example import TOKENS
from course_lib.figures.drawings.canvas import Canvas, Drawing, shape_of

FOLLOWED = TOKENS.index("bank")
CELL, SQUARE = (2, 13), (13, 13)


@dataclass(frozen=True)
class HeadExample:
    """One untrained head on random vectors: x of seed 0, the matrices of seeds 1, 2 and 3."""

    x: torch.Tensor
    w_query: torch.Tensor
    w_key: torch.Tensor
    w_value: torch.Tensor
    query: torch.Tensor
    key: torch.Tensor
    value: torch.Tensor
    scores: torch.Tensor
    weights: torch.Tensor
    output: torch.Tensor

    def shapes(self) -> dict[str, str]:
        return {field.name: shape_of(getattr(self, field.name)) for field in fields(self)}


def random_matrix(rows: int, columns: int, seed: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(rows, columns, generator=generator).double()


def head_example(
    length: int = 8, d_model: int = 64, head_dim: int = 16, first_seed: int = 1
) -> HeadExample:
    """Compute an untrained head whose queries and keys have variance 1."""
    x = random_matrix(length, d_model, 0)
    seeds = range(first_seed, first_seed + 3)
    matrices = [random_matrix(head_dim, d_model, seed) / d_model**0.5 for seed in seeds]
    w_query, w_key, w_value = matrices
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T  # (length, head_dim) each
    scores = query @ key.T / head_dim**0.5  # (length, length)
    weights = torch.softmax(scores, dim=-1)
    output = weights @ value
    return HeadExample(x, w_query, w_key, w_value, query, key, value, scores, weights, output)


ROWS = {"query": 92, "key": 256, "value": 420}  # the height at which each role is drawn
QUESTIONS = {
    "query": "what do I look for?",
    "key": "what can I be found by?",
    "value": "what do I hand over?",
}


def single_head(lit: str | None = None, *, shapes: bool = True) -> Drawing:
    """Draw how data flow through one head: 8 tokens, d_model 64, head_dim 16.

    Args:
        lit: the part at hand, which stands out: input, query, key, value, scores, weights or
            output. None shows all alike.
        shapes: write the shape of each tensor.

    Raises:
        ValueError: lit is none of the parts.
    """
    example = head_example()
    shape = example.shapes()
    canvas = Canvas("input", "query", "key", "value", "scores", "weights", "output")

    def title(part: str, x: float, y: float, name: str, role: str, tensor: str) -> None:
        if shapes:
            canvas[part].title(x, y, name, role, getattr(example, tensor))
        else:
            canvas[part].name(x, y, name, role)

    _draw_input(canvas, example)
    title("input", 142, 194, "X", "input", "x")
    for role, y in ROWS.items():
        part, letter = canvas[role], role[0].upper()
        part.arrow(role, (228, y), (322, y))
        part.operation(268, y, f"W_{letter}", role, 46)
        if shapes:
            part.note(268, y + 28, shape[f"w_{role}"])
        row = FOLLOWED if role == "query" else None
        part.signed(334, y - 52, getattr(example, role), role, CELL, row)
        title(role, 350, y - 60, letter, role, role)
        part.note(350, y + 68, QUESTIONS[role])
    _draw_scores(canvas, example, "Q Kᵀ / √16" if shapes else "Q Kᵀ / √d_k")
    title("scores", 552, 120, "scores", "weights", "scores")
    title("weights", 752, 120, "weights", "weights", "weights")
    title("output", 867, 258, "output", "output", "output")
    sentences = [
        "X holds one row for each of the 8 tokens of the sentence. Three matrices, W_Q, W_K and "
        "W_V, project X to the queries Q, the keys K and the values V. Each query is multiplied "
        "with each key, and divided by the root of the head's size, which gives the scores. The "
        "softmax turns each row of scores into weights that add up to 1. Weights times values "
        "give the output, one row for each token; the row of 'bank' is framed all the way. "
        "X is random here, and the head untrained."
    ]
    if shapes:
        names = {"X": "x", "Q, K and V": "query", "scores and weights": "scores"}
        names |= {"output": "output"}
        listed = ", ".join(f"{name} {shape[tensor]}" for name, tensor in names.items())
        sentences.append(f"Shapes: {listed}.")
    return canvas.drawing("One attention head", sentences, 504, lit, seam=486)


def _draw_input(canvas: Canvas, example: HeadExample) -> None:
    part = canvas["input"]
    for i, token in enumerate(TOKENS):
        part.note(70, 204 + 13 * i + 10.5, token, "end")
    part.signed(78, 204, example.x, "input", CELL, FOLLOWED)
    part.arrow("input", (209, ROWS["key"]), (228, ROWS["key"]), tip=False)
    part.arrow("input", (228, ROWS["query"] - 1), (228, ROWS["value"] + 1), tip=False)
    part.note(18, 338, "framed: the row of “bank”", "start")
    part.note(18, 476, "Random vectors, untrained head:", "start")
    part.note(18, 492, "computed, and without a meaning.", "start")


def _draw_scores(canvas: Canvas, example: HeadExample, words: str) -> None:
    """Draw what follows the projections: scores, weights and output."""
    part, middle = canvas["scores"], 182
    part.arrow("query", (369, ROWS["query"]), (436, ROWS["query"]), (436, middle - 19))
    part.arrow("key", (369, ROWS["key"]), (436, ROWS["key"]), (436, middle + 19))
    part.operation(436, middle, words, "weights", 88)
    part.arrow("weights", (480, middle), (489, middle))
    part.signed(500, middle - 52, example.scores, "weights", SQUARE, FOLLOWED)
    part.note(552, middle + 72, "a row for each query,")
    part.note(552, middle + 87, "a column for each key")

    part = canvas["weights"]
    part.arrow("weights", (606, middle), (689, middle))
    part.operation(650, middle, "softmax", "weights", 62)
    part.weights(700, middle - 52, example.weights, SQUARE, FOLLOWED)
    part.note(752, 84, "each row adds up to 1")

    part = canvas["output"]
    part.arrow("weights", (752, 236), (752, 299))
    part.arrow("value", (369, ROWS["value"]), (752, ROWS["value"]), (752, 337))
    part.operation(752, 318, "weights V", "output", 84)
    part.arrow("output", (794, 318), (840, 318))
    part.signed(851, 266, example.output, "output", CELL, FOLLOWED)
    part.note(856, 390, "each row a")
    part.note(856, 405, "mix of values")
