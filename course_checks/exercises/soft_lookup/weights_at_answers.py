"""Answers to weights_at (lesson 01, exercise 4), right and wrong, as students write them."""

import functools

import numpy as np
import torch
import torch.nn.functional as F

import course_checks as checks


# right
def loop(scores, temperature):
    if temperature > 0:
        return F.softmax(scores / temperature, dim=scores.dim() - 1)
    out = torch.zeros_like(scores)
    for index in np.ndindex(*scores.shape[:-1]):
        ties = scores[index] == scores[index].max()
        out[index] = ties / ties.sum()
    return out


# right
def masked(scores, temperature):
    top = scores.max(dim=-1, keepdim=True)[0]
    if not temperature:
        return torch.where(scores == top, 0.0, -torch.inf).to(scores).softmax(-1)
    return torch.softmax((scores - top) / temperature, -1)


# wrong: at 0 the winners are turned into float32, not into the dtype of the scores
# named: dtype
# points: 5
def float_winners(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=-1, keepdim=True)).float()
        return best / best.sum(dim=-1, keepdim=True)
    return torch.softmax(scores / temperature, dim=-1)


# wrong: compares the scores with the (values, indices) pair that max returns, so that temperature 0 crashes
def max_pair(scores, temperature):
    if temperature == 0:
        winners = scores.eq(scores.max(dim=-1, keepdim=True)).to(scores.dtype)
        return winners / winners.sum(-1, keepdim=True)
    return torch.softmax(scores / temperature, dim=-1)


# wrong: divides by 0 at temperature 0
# named: nan_at_zero
def no_case_for_zero(scores, temperature):
    scaled = scores / temperature
    return torch.softmax(scaled, dim=-1)


# wrong: divides the caller's scores in place
# named: changes_input
def scores_divided_in_place(scores, temperature):
    if temperature == 0:
        best = (scores == scores.amax(dim=-1, keepdim=True)).to(scores.dtype)
        return best / best.sum(dim=-1, keepdim=True)
    scores /= temperature
    return torch.softmax(scores, dim=-1)


# wrong: replaces 0 by a tiny temperature, at which near ties still share
# named: tiny_temperature
def tiny_temperature(scores, temperature):
    return torch.softmax(scores / max(temperature, 1e-6), dim=-1)


# wrong: takes every low temperature for 0
# points: 5
def cold_is_zero(scores, temperature):
    is_cold = temperature < 1e-6
    return checks.weights_at.exercise.reference(scores, 0 if is_cold else temperature)


# wrong: takes the softmax of True and False
# says: need floats
def softmax_of_mask(scores, temperature):
    return torch.softmax((scores == scores.amax()).int(), dim=-1)


# wrong: its arguments stand in another order
# says: defined with (temperature, scores)
def temperature_first(temperature, scores):
    return torch.softmax(scores / temperature, dim=-1)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for temperature in (0, 0.0, 0.3, 1.0, 5):
        for shape in ((6,), (5, 2), (3, 2, 4)):
            yield randn(*shape), temperature
            yield randn(*shape).round(), temperature
