"""Lessons 06 and 09: encoder, memory and decoder, and the three attentions between them."""

from types import SimpleNamespace

import torch

from course_lib.attention.masks import causal_mask
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention
from course_lib.data.small_example import NUM_HEADS, TOKENS, W_KEY, W_OUT, W_QUERY, W_VALUE, X
from course_lib.figures.drawings.canvas import Canvas, Part
from course_lib.figures.drawings.drawing import Drawing

TARGET = ["le", "prêt", "approuvé"]
FOLLOWED = TARGET.index("prêt")
SAME = [TOKENS.index(word) for word in ("The", "loan", "approved")]  # as the target's words
HEAD = 1  # the head whose weights are drawn: it looks for money
CELL, LARGE, SMALL = (24, 14), (12, 12), (9, 9)
ENCODER, DECODER = 130, 408  # the heights of the two rows
CROSS = 656  # where cross-attention stands


def attend(
    x: torch.Tensor, memory: torch.Tensor, mask: torch.Tensor | None = None
) -> SimpleNamespace:
    """Let x (T, 4) ask the memory (S, 4), by the matrices made by hand; True = may attend.

    Returns its two heads' ``weights`` (2, T, S), and the ``output`` (T, 4).
    """
    sources = ((x, W_QUERY), (memory, W_KEY), (memory, W_VALUE))
    qkv = (
        (t @ w.double().T).unflatten(-1, (NUM_HEADS, -1)).transpose(0, 1)  # (2, length, 2)
        for t, w in sources
    )
    heads, weights = scaled_dot_product_attention(*qkv, mask=mask)
    output = heads.transpose(0, 1).flatten(1) @ W_OUT.double().T
    return SimpleNamespace(weights=weights, output=output)


def three_attentions_example() -> tuple[torch.Tensor, torch.Tensor, dict[str, SimpleNamespace]]:
    """Return source (8, 4), target (3, 4), and self, causal and cross-attention."""
    source = X.double()
    target = source[SAME]
    encoder, decoder = attend(source, source), attend(target, target, causal_mask(len(TARGET)))
    cross = attend(decoder.output, encoder.output)
    return source, target, {"encoder": encoder, "decoder": decoder, "cross": cross}


def three_attentions(lit: str | None = None) -> Drawing:
    """Draw an encoder that reads 8 tokens, and a decoder that has written 3 and asks it.

    ``lit``: encoder, memory, decoder or cross.
    """
    source, target, attended = three_attentions_example()
    encoder, decoder, cross = (attended[name] for name in ("encoder", "decoder", "cross"))
    canvas = Canvas("encoder", "memory", "decoder", "cross")

    part = canvas["encoder"]
    part.note(18, 24, "ENCODER: reads the source, every token sees every token", "start")
    _rows(part, 84, ENCODER, TOKENS, source, "input")
    part.title(132, ENCODER - 66, "source", "input", source)
    _self_attention(part, ENCODER, "self-attention", encoder.weights[HEAD], SMALL)
    part.note(268, ENCODER + 114, "weights 8 × 8, head 1")

    part = canvas["memory"]
    _rows(part, 366, ENCODER, None, encoder.output, "output")
    part.title(414, ENCODER - 66, "memory", "output", encoder.output)
    part.note(414, ENCODER + 76, "the encoder’s output")

    part = canvas["decoder"]
    part.note(18, DECODER - 86, "DECODER: writes the target, and does not look ahead", "start")
    _rows(part, 84, DECODER, TARGET, target, "input", FOLLOWED)
    part.title(132, DECODER - 32, "target so far", "input", target)
    mask = causal_mask(len(TARGET))
    _self_attention(part, DECODER, "masked self-attention", decoder.weights[HEAD], LARGE, mask)
    part.lines(268, DECODER + 76, "weights 3 × 3, head 1", "behind the line: the future")
    _rows(part, 366, DECODER, None, decoder.output, "output", FOLLOWED)
    part.title(414, DECODER - 32, "written", "output", decoder.output)
    part.lines(
        18,
        528,
        "framed: the row of “prêt”",
        "Numbers made by hand. Of two heads, head 1 is drawn.",
        kind="start",
        step=16,
    )

    _draw_cross(canvas["cross"], cross)
    sentences = [
        "At the top the encoder: self-attention lets each of the 8 tokens of the source see all "
        "of them, with weights of 8 by 8, and its output is the memory, 8 × 4.",
        "At the bottom the decoder: masked self-attention over the 3 target tokens written so far, "
        "le, prêt, approuvé, with weights of 3 by 3 without the future; its output is "
        "3 × 4.",
        "On the right cross-attention connects them: the queries come from the decoder, by W_Q, "
        "and the keys and the values from the memory, by W_K and W_V.",
        "Its weights are 3 by 8, a row for each target token and a column for each source token, "
        "and its output is 3 × 4, one row for each target token.",
        "The numbers are made by hand: each target word has those of its English one. Of the two "
        "heads the weights of head 1, which looks for money, are drawn.",
    ]
    rows = (
        "[ENCODER: reads the source, every token sees every token] > source > self-attention "
        "& memory > [keys and values come from the memory] > [DECODER: writes the target, and "
        "does not look ahead] > target so far > masked self-attention & written > W_Q & W_K & "
        "W_V > cross-attention & output"
    )
    return canvas.drawing("Encoder, decoder and three attentions", sentences, 556, lit, rows=rows)


def _rows(
    part: Part,
    x: float,
    middle: float,
    labels: list[str] | None,
    tensor: torch.Tensor,
    role: str,
    row: int | None = None,
) -> None:
    """Draw a tensor as rows of tokens around a height, with their words on the left."""
    top = middle - CELL[1] * len(tensor) / 2
    part.table(x, top, tensor, role, CELL, 0 if labels else 1, row=row)
    part.lines(x - 8, top + 11, *labels or [], kind="end", step=CELL[1])


def _self_attention(
    part: Part,
    middle: float,
    words: str,
    weights: torch.Tensor,
    cell: tuple[float, float],
    mask: torch.Tensor | None = None,
) -> None:
    part.arrow("input", (184, middle), (355, middle))
    part.operation(268, middle, words, "output", 7.8 * len(words) + 2)
    left = 268 - cell[0] * len(weights) / 2
    part.weights(left, middle + 22, weights, cell, allowed=mask)


def _draw_cross(part: Part, cross: SimpleNamespace) -> None:
    key, value = CROSS - 40, CROSS + 40
    part.arrow("key", (465, ENCODER + 20), (key, ENCODER + 20), (key, DECODER - 19))
    part.arrow("value", (465, ENCODER - 20), (value, ENCODER - 20), (value, DECODER - 19))
    part.operation(key, ENCODER + 90, "W_K", "key", 46)
    part.operation(value, ENCODER + 90, "W_V", "value", 46)
    part.name(key - 26, ENCODER + 122, "keys", "key")
    part.name(value + 32, ENCODER + 122, "values", "value")
    part.lines(value + 40, ENCODER + 66, "keys and values", "come from", "the memory", kind="start")
    part.arrow("query", (465, DECODER), (579, DECODER))
    part.operation(518, DECODER, "W_Q", "query", 46)
    part.name(518, DECODER - 24, "queries", "query")
    part.lines(518, DECODER + 34, "come from", "the decoder")
    part.arrow("output", (722, DECODER), (781, DECODER))
    part.operation(CROSS, DECODER, "cross-attention", "output", 132)
    part.weights(CROSS - 48, DECODER + 22, cross.weights[HEAD], LARGE, FOLLOWED)
    part.lines(
        CROSS,
        DECODER + 76,
        "weights 3 × 8, head 1",
        "a row for each query,",
        "a column for each key",
    )
    _rows(part, 792, DECODER, None, cross.output, "output", FOLLOWED)
    part.title(840, DECODER - 32, "output", "output", cross.output)
    part.lines(840, DECODER + 40, "one row for each", "target token")
