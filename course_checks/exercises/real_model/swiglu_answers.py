"""Answers to swiglu (lesson 16, exercise 2), right and wrong, as students write them."""

import functools

import torch
import torch.nn.functional as F
from torch import nn

from course_lib.model.feed_forward import FeedForward


# right
def linear(x, gate, up, down):
    return F.linear(F.silu(F.linear(x, gate)) * F.linear(x, up), down)


# right
def sigmoid(x, gate, up, down):
    opened = torch.einsum("...d,fd->...f", x, gate)
    hidden = opened * torch.sigmoid(opened) * torch.einsum("...d,fd->...f", x, up)
    return torch.einsum("...f,df->...d", hidden, down)


# right
def one_product(x, gate, up, down):
    """Both ways up in one matrix, as some libraries store them."""
    first, second = (x @ torch.cat((gate, up)).mT).chunk(2, dim=-1)
    return (first / (1 + torch.exp(-first)) * second) @ down.mT


# wrong: no gradient goes through the gate's map
# named: cut_off
# points: 6
def detached_gate(x, gate, up, down):
    return (F.silu(x @ gate.detach().T) * (x @ up.T)) @ down.T


# wrong: clears gate when it is done
# named: changes_input
# points: 5
def in_place(x, gate, up, down):
    hidden = F.silu(x @ gate.T) * (x @ up.T)
    answer = hidden @ down.T
    gate.data.mul_(0)
    return answer


# wrong: calls the course's own network
# named: forbidden
def library(x, gate, up, down):
    network = FeedForward(x.shape[-1], len(gate), activation="silu", gated=True, bias=False)
    network.gate_proj.weight.data = gate
    network.up_proj.weight.data = up
    network.down_proj.weight.data = down
    return network(x)


# wrong: makes maps of its own
# named: answers_vary
def own_random_maps(x, gate, up, down):
    d_ff, d_model = gate.shape
    to_gate, to_up = nn.Linear(d_model, d_ff), nn.Linear(d_model, d_ff)
    to_down = nn.Linear(d_ff, d_model)
    return to_down(nn.functional.silu(to_gate(x)) * to_up(x))


# wrong: view instead of a transpose
# named: reshaped
def viewed(x, gate, up, down):
    d, h = down.shape
    return (F.silu(x @ gate.view(d, h)) * (x @ up.view(d, h))) @ down.view(h, d)


# wrong: up and down exchanged, each as it is stored
# named: down_on_the_way_up
def way_up_by_down(x, gate, up, down):
    return (F.silu(x @ gate.T) * (x @ down)) @ up


# wrong: transposes only where the shapes object
# named: not_transposed
# points: 6
def times(x, weight):
    return x @ weight if x.shape[-1] == weight.shape[0] else x @ weight.T


def turned_if_needed(x, gate, up, down):
    return times(F.silu(times(x, gate)) * times(x, up), down)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for lead, d_model, d_ff in (((3,), 5, 2), ((2, 2), 2, 4), ((5,), 5, 5)):
        maps = randn(d_ff, d_model), randn(d_ff, d_model), randn(d_model, d_ff)
        yield randn(*lead, d_model), *maps
