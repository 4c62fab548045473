"""Maps of whole models in which one head looks at the token before."""

import torch
from torch import arange

from course_checks.exercise import Case
from course_checks.score_cases import causal, draw_weights


def look(text, place, back, strength):
    """Let one head look that many tokens back, with at least that weight."""
    layer, head = place
    queries = arange(back, text.shape[-1])
    text[layer, head, back:] *= 1 - strength
    text[layer, head, queries, queries - back] += strength


def one_looks_back(num_layers, num_heads, *lengths):
    """One head looks at the token before; one does so harder, but in short texts only.

    A third looks at the token itself.
    """

    def make(generator):
        maps = [
            draw_weights(generator, num_layers, num_heads, length, length, mask=causal(length))
            for length in lengths
        ]
        order = torch.randperm(num_layers * num_heads, generator=generator, device="cpu").tolist()
        places = [divmod(place, num_heads) for place in order]
        right = next(place for place in places if place[0] != place[1])
        in_short_ones, itself = [place for place in places if place != right][:2]
        for text in maps:
            look(text, right, 1, 0.7)
            look(text, itself, 0, 0.8)
            if text.shape[-1] < max(lengths):
                look(text, in_short_ones, 1, 0.95)
        return [Case((tuple(maps),), label=words(num_layers, num_heads, lengths))]

    return make


def among_weak_ones(num_layers, num_heads, right, second):
    """One head looks hard at the token before; others, of one layer or one number, look there."""

    def make(generator):
        maps = [
            0.2 * draw_weights(generator, num_layers, num_heads, 6, 6, mask=causal(6))
            for _ in range(2)
        ]
        for text in maps:
            text[..., 0] += 0.8  # the rest of them look at the start
            for place in second:
                look(text, place, 1, 0.5)
            look(text, right, 1, 0.9)
        return [Case((tuple(maps),), label=words(num_layers, num_heads, (6, 6)))]

    return make


def words(num_layers, num_heads, lengths):
    return f"{num_layers} layers of {num_heads} heads and texts of {lengths} tokens"
