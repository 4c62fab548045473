"""Lesson 14: what a layer keeps of eight tokens, in three kinds, and how models mix the kinds."""

import torch

from course_lib.attention.masks import window_mask
from course_lib.data.small_example import TOKENS
from course_lib.figures.drawings.canvas import Canvas, Part
from course_lib.figures.drawings.drawing import Drawing
from course_lib.figures.drawings.single_head import HEAD_DIM, HeadExample, head_example

WINDOW, SINKS = 3, 1
ROW, SQUARE, STEP = (24, 14), (56, 56), 14  # cells of keys and values, cells of the state
LEFT = {"global": 92, "window": 376, "state": 652}
TOP = 128  # where the memories begin
SEAM = 532
PATTERNS = {"Gemma 3": ("window",) * 5 + ("global",), "Qwen3-Next": ("state",) * 3 + ("global",)}
ROLES_OF = {"global": "input", "window": "input", "state": "value"}


def memory_example() -> tuple[HeadExample, torch.Tensor, torch.Tensor]:
    """Head 1 of the sentence; which tokens the last query sees (8,); and the state (2, 2)."""
    head = head_example(1)
    seen = window_mask(len(TOKENS), window=WINDOW, sinks=SINKS)[-1]
    return head, seen, head.key.T @ head.value


def kept_numbers(tokens: int = len(TOKENS)) -> dict[str, int]:
    """How many numbers of one head each kind keeps after so many tokens, eight or more."""
    pair = 2 * HEAD_DIM
    rows = {"global": tokens, "window": WINDOW + SINKS}
    return {kind: count * pair for kind, count in rows.items()} | {"state": HEAD_DIM * HEAD_DIM}


def bounded_memory() -> Drawing:
    """Draw the memory of a global layer, of a window and of a state, and two patterns of layers."""
    head, seen, state = memory_example()
    kept = kept_numbers()
    canvas = Canvas(*LEFT, "layers")
    everything = torch.ones_like(seen)
    _draw_rows(canvas["global"], LEFT["global"], head, everything, "all 8 keys")
    _draw_rows(canvas["window"], LEFT["window"], head, seen, "4 keys")
    part, left = canvas["state"], LEFT["state"]
    _draw_query(part, left + 56, "one sum")
    part.table(left, TOP, state, "value", SQUARE)
    part.lines(
        left + 126, TOP + 40, "the sum of", "key × value", "of all tokens", kind="start", step=16
    )
    names = {"global": "GLOBAL", "window": f"WINDOW of {WINDOW}, {SINKS} sink", "state": "STATE"}
    later = kept_numbers(1000)
    for kind, name in names.items():
        middle = LEFT[kind] + 52
        canvas[kind].name(middle, 26, name, ROLES_OF[kind])
        canvas[kind].lines(
            middle,
            TOP + 134,
            f"after 8 tokens: {kept[kind]} numbers",
            f"after 1000 tokens: {later[kind]} numbers",
            step=16,
        )

    part = canvas["layers"]
    for (model, kinds), x in zip(PATTERNS.items(), (18, SEAM + 8), strict=True):
        part.note(x, 316, f"LAYERS of {model}, repeated", "start")
        for i, kind in enumerate(kinds):  # the first layer on the left
            part.operation(x + 34 + 72 * i, 340, kind, ROLES_OF[kind], 66)
        part.note(x + 72 * len(kinds) + 2, 344.5, "and so on", "start")
    sentences = [
        "Three memories of one head with 2 numbers, after the eight tokens of 'The bank by the "
        "river approved my loan'; the newest token's query asks each of them.",
        f"A global layer keeps all keys and values: {kept['global']} numbers, and "
        f"{2 * HEAD_DIM} more with each token.",
        f"A layer with a window of {WINDOW} keeps the last {WINDOW} and, as a sink, the first: "
        f"{kept['window']} numbers; the rows between are gone.",
        f"A layer with a state adds the product of each key and its value to one square of 2 × "
        f"2: {kept['state']} numbers, however many tokens have come.",
        "At the bottom the layers of two models, repeated: five with a window and one global in "
        "Gemma 3, three with a state and one global in Qwen3-Next.",
        "The head is head 1 of the course's sentence, which looks for money.",
    ]
    rows = (
        "{global} > {window} > {state} > [LAYERS of Gemma 3, repeated] > window & window & "
        "window > window & window & global > [and so on] > [LAYERS of Qwen3-Next, repeated] > "
        "state & state & state & global > [and so on]"
    )
    return canvas.drawing("Three memories, and how models mix them", sentences, 370, rows=rows)


def _draw_query(part: Part, x: float, whom: str) -> None:
    part.operation(x, 52, "query", "query", 64)
    part.arrow("query", (x, 65), (x, TOP - 40))
    part.note(x + 12, 82, f"asks {whom}", "start")


def _draw_rows(part: Part, left: float, head: HeadExample, seen: torch.Tensor, whom: str) -> None:
    """Keys and values side by side, a row for each token; rows not seen are gone."""
    _draw_query(part, left + 52, whom)
    for role, x in (("key", left), ("value", left + 56)):
        tensor = getattr(head, role)
        part.name(x + 24, TOP - 12, f"{role}s", role)
        allowed = seen[:, None].expand_as(tensor)
        part.table(x, TOP, tensor, role, ROW, allowed=allowed)
    part.lines(left - 8, TOP + 11, *TOKENS, kind="end", step=STEP)
