"""Lesson 10: two heads in two layers, which together continue a text that repeats itself."""

from types import SimpleNamespace

import torch

from course_lib.data.checkpoints import load_checkpoint
from course_lib.figures.drawings.canvas import Canvas, Part
from course_lib.figures.drawings.drawing import Drawing
from course_lib.study.ablation import by_head, run
from course_lib.study.heads import induction_score, previous_token_score

TEXT = "QFKBZMQFK"
KEY, QUERY = 3, 8  # B, which followed the first K, and the second K
LEFT, STEP = 152, 84  # the middle of the first token, and from one to the next
TOKENS, STREAM, VALUE, MATCH = 20, 142, 262, 354  # the height of each row
WIDE, NARROW, HIGH = 53, 24, 28  # what a token comes after, and what it is


def induction_example() -> SimpleNamespace:
    """What the best two heads of the course's trained model do on one text."""
    tokens = torch.tensor([[ord(letter) - ord("A") for letter in TEXT]])  # (1, 9)
    logits, weights = run(load_checkpoint("induction"), tokens)
    previous = next(iter(by_head(previous_token_score, weights[:1])))[1]
    layer, head = next(iter(by_head(lambda part: induction_score(part, tokens), weights)))
    back = weights[0][0, previous].diagonal(-1)  # (8,)
    return SimpleNamespace(
        # (9,): weight of each token on the one before it; NaN for the first
        previous=torch.cat([torch.full((1,), torch.nan), back]),
        # weight of the second K on the B after the first
        match=weights[layer][0, head, QUERY, KEY].item(),
        # what the model gives to B as the next symbol
        probability=logits[0, QUERY].softmax(dim=-1)[tokens[0, KEY]].item(),
    )


def induction_circuit() -> Drawing:
    """Draw how a trained model of two layers finds what followed the same symbol before."""
    example = induction_example()
    canvas = Canvas("text", "previous", "stream", "match", "copy")
    middles = [LEFT + STEP * i for i in range(len(TEXT))]

    part = canvas["text"]
    part.lines(14, TOKENS + 18, "text", kind="start")
    for x, letter in zip(middles, TEXT, strict=True):
        _box(part, x - 16, TOKENS, 32, letter, "input", f"text {len(part.places)}")
        part.arrow("input", (x + 14, TOKENS + HIGH + 2), (x + 14, STREAM - 11))

    part = canvas["previous"]
    part.lines(14, TOKENS + 60, "layer 0:", "previous-", "token head", kind="start")
    for i, (x, weight) in enumerate(zip(middles, example.previous.tolist(), strict=True)):
        seen = x - STEP + 17 if i else x - 17  # the first token can look at itself only
        part.arrow("value", (seen, TOKENS + 14), (x - 26, TOKENS + 14), (x - 26, STREAM - 11))
        if i:
            part.note(x - 6, TOKENS + 76, f"{weight:.2f}")

    part = canvas["stream"]
    part.lines(14, STREAM + 12, "residual", "stream", kind="start")
    for i, x in enumerate(middles):
        words = f"after {TEXT[i - 1]}" if i else "itself"
        _box(part, x - 41, STREAM, WIDE, words, "value", f"after {i}")
        _box(part, x + 12, STREAM, NARROW, TEXT[i], "input", f"own {i}")

    key, query = middles[KEY], middles[QUERY]
    middle = (key + query) / 2
    part = canvas["match"]
    part.lines(14, MATCH + 4, "layer 1: who", "to look at", kind="start")
    part.arrow("key", (key - 12, STREAM + HIGH + 2), (key - 12, MATCH - 19))
    part.operation(key - 12, MATCH, "after K", "key", 64)
    part.name(key - 12, MATCH + 32, "key", "key")
    part.arrow("query", (query + 24, STREAM + HIGH + 2), (query + 24, MATCH - 19))
    part.operation(query + 24, MATCH, "K", "query", 40)
    part.name(query + 24, MATCH + 32, "query", "query")
    part.arrow("query", (query + 4, MATCH), (middle + 65, MATCH))
    part.arrow("key", (key + 20, MATCH), (middle - 65, MATCH))
    part.operation(middle, MATCH, f"weight {example.match:.2f}", "weights", 110)
    part.note(middle, MATCH + 30, "K meets “after K”")

    part = canvas["copy"]
    part.lines(14, VALUE - 4, "layer 1: what", "to copy", kind="start")
    part.arrow("value", (key + 24, STREAM + HIGH + 2), (key + 24, VALUE - 19))
    part.operation(key + 24, VALUE, "B", "value", 40)
    part.name(key + 24, VALUE + 32, "value", "value")
    part.arrow("value", (key + 44, VALUE), (middle - 71, VALUE))
    part.operation(middle, VALUE, "weight × value", "output", 122)
    part.arrow("weights", (middle, MATCH - 12), (middle, VALUE + 19))
    part.arrow("output", (middle + 61, VALUE), (query - 75, VALUE))
    part.operation(query - 28, VALUE, "next: B", "output", 74)
    part.note(query - 42, VALUE - 22, f"probability {example.probability:.2f}")
    sentences = [
        f"The text is {' '.join(TEXT)}, and the model is to say what follows the second K.",
        "In layer 0 a previous-token head writes into each token's residual stream what stood "
        "before it (the first itself), so that B carries two things: it is B, and comes after K.",
        "In layer 1 the query of the second K asks for K, and the key of B says 'after K': they "
        f"match, with a weight of {example.match:.2f}.",
        "The value of B says that it is B. It is copied to the second K, as the guess for what "
        f"comes next, with a probability of {example.probability:.2f}.",
        "The numbers on the arrows of layer 0 are the weights of each token on the one before: "
        f"{', '.join(f'{weight:.2f}' for weight in example.previous[1:].tolist())}.",
        "They are those of a trained model.",
    ]
    rows = "[layer 0: previous- token head] & [text] & [residual stream]"
    for i, weight in enumerate(example.previous.tolist()):
        number = f"[{weight:.2f}] & " if i else ""
        rows += f" > after {i} & {number}text {i} & own {i}"
    rows += f" > [layer 1: who to look at] > after K & K & B > weight {example.match:.2f}"
    rows += " > [layer 1: what to copy] > weight × value > next: B"
    return canvas.drawing("Two heads that repeat a text", sentences, MATCH + 48, rows=rows)


def _box(part: Part, x: float, y: float, width: float, words: str, role: str, name: str) -> None:
    """Draw a pale box with words in it."""
    part.grid(x, y, torch.full((1, 1), 0.25), role, (width, HIGH), name=name)
    part.note(x + width / 2, y + HIGH / 2 + 4, words)
