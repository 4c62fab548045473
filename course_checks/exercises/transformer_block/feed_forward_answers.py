"""Answers to feed_forward (lesson 08, exercise 2), right and wrong, as students write them."""

import functools
import math

import torch
import torch.nn.functional as F
from torch import nn


# right
def linear(x, w_up, b_up, w_down, b_down):
    return F.linear(nn.GELU()(F.linear(x, w_up, b_up)), w_down, b_down)


# right
def erf(x, w_up, b_up, w_down, b_down):
    """A hidden feature at a time, each with what it adds to the output."""
    output = b_down.expand_as(x)
    for row, bias, column in zip(w_up, b_up, w_down.T, strict=True):
        hidden = (x * row).sum(dim=-1, keepdim=True) + bias
        output = output + hidden * (1 + torch.erf(hidden / math.sqrt(2))) / 2 * column
    return output


# wrong: b_down is added to in place on every call
# named: changes_input
# points: 6
def bias_in_place(x, w_up, b_up, w_down, b_down):
    answer = F.gelu(x @ w_up.T + b_up) @ w_down.T + b_down
    with torch.no_grad():
        b_down += 1
    return answer


# wrong: x is detached, so the layers below learn nothing
# named: cut_off
# points: 6
def detached_x(x, w_up, b_up, w_down, b_down):
    return F.gelu(x.detach() @ w_up.T + b_up) @ w_down.T + b_down


# wrong: a dropout of a tenth between the maps
# named: answers_vary
def dropout(x, w_up, b_up, w_down, b_down):
    return F.dropout(F.gelu(x @ w_up.T + b_up), 0.1) @ w_down.T + b_down


# wrong: adds x, though only what is added to the stream was asked for
# named: residual_inside
def residual_3(x, w_up, b_up, w_down, b_down):
    return x + F.linear(F.gelu(F.linear(x, w_up, b_up)), w_down, b_down)


# wrong: the tanh approximation of gelu instead of the exact one
# named: tanh_approximation
def tanh(x, w_up, b_up, w_down, b_down):
    h = nn.functional.linear(x, w_up, b_up)
    return nn.functional.linear(nn.functional.gelu(h, approximate="tanh"), w_down, b_down)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for lead, d_model, d_ff in (((3,), 5, 2), ((2, 2), 2, 4), ((5,), 5, 5)):
        maps = randn(d_ff, d_model), randn(d_ff), randn(d_model, d_ff), randn(d_model)
        yield randn(*lead, d_model), *maps
