"""Inputs for the exercises on soft lookup, of other sizes and values than the checks' own."""

import functools
import math

import torch

from exercises.shared_inputs import attention_with


def attentions():
    """Right and wrong ones, for the student's test; others than the check's."""
    yield attention_with(lambda scores: torch.softmax(scores / 2, dim=-1))
    yield attention_with(lambda scores: torch.softmax(-scores, dim=-1))
    yield attention_with(lambda scores: torch.full_like(scores, 1 / scores.shape[-1]))
    yield attention_with(lambda scores: torch.full_like(scores, 1 / scores.shape[-2]))
    yield attention_with(lambda scores: torch.softmax(scores, dim=-2))
    yield attention_with(torch.sigmoid)
    yield attention_with(torch.exp)
    for factor in (0.5, 0.9, 1.1, 2.0):
        yield attention_with(lambda scores, f=factor: f * torch.softmax(scores, dim=-1))


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)

    if name == "attend_by_hand":
        for count, d, d_v in ((2, 1, 1), (6, 4, 3), (3, 5, 5)):
            shapes = ((d,), (count, d), (count, d_v))
            yield tuple((randn(*shape) / math.sqrt(d)).tolist() for shape in shapes)
    elif name == "attend_all":
        for t_q, t_k, d, d_v in ((2, 2, 2, 2), (7, 5, 3, 6), (1, 6, 4, 1)):
            yield randn(t_q, d), randn(t_k, d), randn(t_k, d_v)
    elif name == "stable_softmax":
        for scale in (1, 30, 3000):
            for shape in ((7,), (5, 2), (3, 1, 4), (2, 3, 2, 5)):
                yield (scale * randn(*shape),)
    elif name == "weights_at":
        for temperature in (0, 0.0, 0.3, 1.0, 5):
            for shape in ((6,), (5, 2), (3, 2, 4)):
                yield randn(*shape), temperature
                yield randn(*shape).round(), temperature
    elif name == "rows_sum_to_one":
        yield from ((attention,) for attention in attentions())
