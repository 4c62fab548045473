"""Lesson 13: one step with a cache, and what four kinds of heads keep of each token."""

import torch

from course_lib.data.small_example import TOKENS
from course_lib.figures.drawings.canvas import Canvas, Part, shape_of
from course_lib.figures.drawings.drawing import Drawing
from course_lib.figures.drawings.single_head import HeadExample, head_example

NUM_HEADS, HEAD_DIM = 4, 16
LATENT_DIM, ROTARY_DIM = 32, 8
INPUT, CELL, WIDE, SQUARE, DECIMALS = (32, 14), (16, 14), (24, 14), (20, 14), (30, 14)
TOPS = {"key": 100, "value": 268}  # where the caches begin
NEW = {"query": 54, "key": TOPS["key"] + 105, "value": TOPS["value"] + 105}  # its three rows
KINDS = {"multi_head": NUM_HEADS, "grouped": 2, "multi_query": 1}  # key heads
LEFT = {"multi_head": 20, "grouped": 242, "multi_query": 480, "latent": 694}
FOLLOWED = 1  # the query head that is framed, with what it asks
STEP, BELOW = 50, 454  # from head to head; the height of the query heads


def kept_numbers() -> dict[str, int]:
    """How many numbers each kind keeps of a token: keys and values, or latent and rotary key."""
    kept = {kind: 2 * num_kv_heads * HEAD_DIM for kind, num_kv_heads in KINDS.items()}
    return kept | {"latent": LATENT_DIM + ROTARY_DIM}


def cached_example() -> tuple[HeadExample, torch.Tensor, torch.Tensor]:
    """Head 1 of the sentence, and of its last token the weights (1, 8) and the output (1, 2)."""
    head = head_example(1)
    weights = torch.softmax(head.scores[-1:], dim=-1)
    return head, weights, weights @ head.value


def cached_heads() -> Drawing:
    """Draw one step of generation with a cache, and below it four kinds of shared heads."""
    head, weights, output = cached_example()
    canvas = Canvas("new", "cache", "attend", *LEFT)
    _draw_new(canvas["new"], head)

    part = canvas["cache"]
    for role, words in (("key", "cached keys"), ("value", "cached values")):
        top, tensor = TOPS[role], getattr(head, role)
        part.table(392, top, tensor, role, WIDE, row=len(TOKENS) - 1)
        part.title(412, top - 10, words, role, tensor)
        part.lines(384, top + 11, *TOKENS[:-1], kind="end", step=14)
        part.note(448, top + 14 * 7 + 11, TOKENS[-1], "start")  # on the left comes its arrow

    part = canvas["attend"]
    part.arrow("query", (310, NEW["query"]), (588, NEW["query"]), (588, 129))
    part.arrow("key", (444, 148), (519, 148))
    part.operation(588, 148, "scores, softmax", "weights", 124)
    part.arrow("weights", (651, 148), (671, 148))
    part.weights(682, 141, weights, SQUARE)
    part.title(762, 132, "weights", "weights", weights)
    part.note(892, 174, f"“loan” to “loan”: {weights[0, -1]:.2f}", "end")
    part.arrow("weights", (734, 157), (734, 279))
    part.arrow("value", (444, 298), (681, 298))
    part.operation(734, 298, "weights V", "output", 84)
    part.arrow("output", (777, 298), (815, 298))
    part.table(826, 291, output, "output", DECIMALS, 2)
    part.title(856, 282, "output", "output", output)
    part.lines(856, 332, "one row: the", "new token’s")

    for kind, num_kv_heads in KINDS.items():
        _draw_kind(canvas[kind], kind, kind.replace("_", "-"))
        share = NUM_HEADS // num_kv_heads  # query heads, as wide as their key and value head
        for i in range(num_kv_heads):
            x = LEFT[kind] + STEP * share * i + (STEP * share - 6) / 2
            for role, y in (("key", BELOW + 56), ("value", BELOW + 90)):
                canvas[kind].operation(x, y, f"{role[0]} {i}", role, STEP * share - 8)
                if i == FOLLOWED // share:
                    wide = STEP * share - 8
                    canvas[kind].frame(x - wide / 2, y - 12, wide, 24)
    part, left = canvas["latent"], LEFT["latent"]
    _draw_kind(part, "latent", "latent")
    part.arrow("query", (left + 22, BELOW + 22), (left + 172, BELOW + 22), tip=False)
    for x in (left + 64, left + 164):  # each query asks both
        part.arrow("query", (x, BELOW + 22), (x, BELOW + 35))
    part.operation(left + 64, BELOW + 56, "latent", "input", 124)
    part.operation(left + 164, BELOW + 56, "k, rotary", "key", 68)
    part.frame(left + 2, BELOW + 44, 196, 24)
    part.note(left + 64, BELOW + 88, "key and value")
    part.note(left + 64, BELOW + 102, "of all heads")
    kept = kept_numbers()
    sentences = [
        "At the top one step of one head: only the new token, 'loan', goes through W_Q, W_K and "
        "W_V.",
        "Its key and its value become the last rows of the caches, which hold all 8 tokens, and "
        "its query asks all 8 keys: one row of weights, 1 × 8, and one row of output, 1 × 2.",
        "At the bottom what is kept of each token by layers of 4 query heads of 16 numbers each.",
        f"Multi-head attention keeps 4 keys and 4 values, {kept['multi_head']} numbers; grouped "
        f"heads share 2 and 2, {kept['grouped']} numbers; in multi-query attention all share one "
        f"and one, {kept['multi_query']} numbers.",
        f"Latent attention keeps one latent of {LATENT_DIM} numbers, which is key and value of all "
        f"heads, and a rotary key of {ROTARY_DIM}, which each query asks too: {kept['latent']} "
        "numbers.",
        "The step is taken by head 1 of the course's sentence, which looks for money; its keys and "
        f"values are {shape_of(head.key)}.",
    ]
    rows = (
        "[ONE STEP: only the new token is computed] > new token > W_Q & W_K & W_V > query & "
        "key & value > cached keys & cached values > scores, softmax > weights > weights V > "
        "output > [WHAT IS KEPT OF EACH TOKEN, for four query heads of 16 numbers] > "
        "{multi_head} > {grouped} > {multi_query} > {latent}"
    )
    return canvas.drawing("A step with a cache, and what heads keep", sentences, 598, rows=rows)


def _draw_new(part: Part, head: HeadExample) -> None:
    """The new token, and the three rows that are made of it."""
    x, middle = head.x[-1:], NEW["key"]
    part.note(18, 20, "ONE STEP: only the new token is computed", "start")
    part.table(18, middle - 6.5, x, "input", INPUT, only=0)
    part.title(82, middle - 18, "new token", "input", x)
    part.note(82, middle + 26, f"“{TOKENS[-1]}”")
    part.arrow("input", (149, middle), (172, middle), tip=False)
    part.arrow("input", (172, NEW["query"] - 1), (172, NEW["value"] + 1), tip=False)
    for role, y in NEW.items():
        new = getattr(head, role)[-1:]
        part.arrow(role, (172, y), (264, y))
        part.operation(212, y, f"W_{role[0].upper()}", role, 46)
        part.table(275, y - 6.5, new, role, CELL, only=0)
        part.name(291, y - 14, role, role)
        if role != "query":
            part.arrow(role, (310, y), (381, y))
    part.note(882, 20, "Numbers made by hand, head 1.", "end")


def _draw_kind(part: Part, kind: str, name: str) -> None:
    """The name of a kind, its four query heads, and how many numbers it keeps."""
    left = LEFT[kind]
    if kind == "multi_head":
        part.note(
            18, 406, "WHAT IS KEPT OF EACH TOKEN, for four query heads of 16 numbers", "start"
        )
        part.note(882, 406, "framed: head 1, and what it asks", "end")
    part.name(left + 97, BELOW - 22, name, "input")
    part.frame(left + STEP * FOLLOWED + 1, BELOW - 12, 42, 24)
    for i in range(NUM_HEADS):
        x = left + STEP * i + 22
        part.operation(x, BELOW, f"q {i}", "query", 42)
        if kind == "latent":  # to a line that all share
            part.arrow("query", (x, BELOW + 13), (x, BELOW + 22), tip=False)
        else:
            part.arrow("query", (x, BELOW + 13), (x, BELOW + 33))
    part.note(left + 97, BELOW + 128, f"keeps {kept_numbers()[kind]} numbers")
