"""Answers to swiglu (lesson 16, exercise 2), right and wrong, as students write them."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.functional import silu

from course_lib.model.feed_forward import FeedForward


# wrong: SiLU at the end
# named: activation_at_the_end
def activated_last(x, gate, up, down):
    return F.silu(((x @ gate.T) * (x @ up.T)) @ down.T)


# wrong: no map is transposed
# named: not_transposed
def as_stored(x, gate, up, down):
    return (F.silu(x @ gate) * (x @ up)) @ down


# wrong: goes down by up, whose shape fits without a transpose
# named: not_down
def back_by_up(x, gate, up, down):
    return (F.silu(x @ gate.T) * (x @ up.T)) @ up


# wrong: no activation
# named: no_activation
def bilinear(x, gate, up, down):
    return ((x @ gate.T) * (x @ up.T)) @ down.T


# wrong: SiLU on both branches
# named: activation_on_both
def both_activated(x, gate, up, down):
    g, u = F.silu(x @ gate.T), F.silu(x @ up.T)
    return (g * u) @ down.T


# wrong: x is detached in the gate's branch
# named: gradient_cut
def detached_branch(x, gate, up, down):
    return (F.silu(x.detach() @ gate.T) * (x @ up.T)) @ down.T


# wrong: no gradient goes through the gate's map
# named: cut_off
def detached_gate(x, gate, up, down):
    return (F.silu(x @ gate.detach().T) * (x @ up.T)) @ down.T


# wrong: down is not transposed
# named: not_transposed
def down_as_stored(x, gate, up, down):
    return (F.silu(x @ gate.T) * (x @ up.T)) @ down


# right
def einsum(x, gate, up, down):
    g = torch.einsum("...i,hi->...h", x, gate)
    u = torch.einsum("...i,hi->...h", x, up)
    return torch.einsum("...h,oh->...o", g * g.sigmoid() * u, down)


# wrong: SiLU on the branch of up
# named: gate_up_exchanged
def exchanged(x, gate, up, down):
    return ((x @ gate.T) * F.silu(x @ up.T)) @ down.T


# right
def feature_by_feature(x, gate, up, down):
    answer = 0
    for row_gate, row_up, column in zip(gate, up, down.T, strict=True):
        hidden = F.silu((x * row_gate).sum(-1)) * (x * row_up).sum(-1)
        answer = answer + hidden[..., None] * column
    return answer


# wrong: gate is not used
# named: no_gate
def ffn_of_2017(x, gate, up, down):
    return F.silu(x @ up.T) @ down.T


# right
def flattened(x, gate, up, down):
    rows = x.reshape(-1, x.shape[-1]).T  # tokens as columns
    hidden = torch.nn.functional.silu(gate @ rows).mul(up @ rows)
    return (down @ hidden).T.reshape(*x.shape[:-1], -1)


# wrong: gate in both branches
# named: gate_for_both
def gate_twice(x, gate, up, down):
    z = x @ gate.T
    return (F.silu(z) * z) @ down.T


# wrong: softmax over the hidden features
# named: softmax
def gates_add_up(x, gate, up, down):
    return ((x @ gate.T).softmax(-1) * (x @ up.T)) @ down.T


# wrong: gelu instead of SiLU
# named: gelu
def geglu(x, gate, up, down):
    return (F.gelu(x @ gate.T) * (x @ up.T)) @ down.T


# wrong: gelu by tanh instead of SiLU
# named: gelu
def geglu_tanh(x, gate, up, down):
    gated = F.gelu(F.linear(x, gate), approximate="tanh")
    return F.linear(gated * F.linear(x, up), down)


# wrong: a sigmoid as the gate
# named: sigmoid
def glu(x, gate, up, down):
    return (torch.sigmoid(x @ gate.T) * (x @ up.T)) @ down.T


# wrong: the way down is missing
# named: hidden_returned
def hidden_only(x, gate, up, down):
    return F.silu(x @ gate.T) * (x @ up.T)


# wrong: clears gate when it is done
# named: changes_input
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


# right
def linear(x, gate, up, down):
    return F.linear(F.silu(F.linear(x, gate)) * F.linear(x, up), down)


# wrong: the maps stand to the left of x
# named: on_columns
def maps_on_the_left(x, gate, up, down):
    return down @ (F.silu(gate @ x) * (up @ x))


# right
def layer(weight):
    linear = nn.Linear(weight.shape[1], weight.shape[0], bias=False)
    del linear.weight
    linear.weight = weight
    return linear


def modules(x, gate, up, down):
    hidden = nn.SiLU()(layer(gate)(x)) * layer(up)(x)
    return layer(down)(hidden)


# right
def one_matrix(x, gate, up, down):
    both = x @ torch.cat([up, gate], dim=0).T
    u, g = both.split(up.shape[0], dim=-1)
    return (u * silu(g)) @ down.T


# wrong: makes maps of its own
# named: answers_vary
def own_random_maps(x, gate, up, down):
    d_ff, d_model = gate.shape
    to_gate, to_up = nn.Linear(d_model, d_ff), nn.Linear(d_model, d_ff)
    to_down = nn.Linear(d_ff, d_model)
    return to_down(nn.functional.silu(to_gate(x)) * to_up(x))


# wrong: SiLU on the product
# named: activation_on_the_product
def product_activated(x, gate, up, down):
    return F.silu((x @ gate.T) * (x @ up.T)) @ down.T


# wrong: relu instead of SiLU
# named: relu
def reglu(x, gate, up, down):
    return ((x @ gate.T).clamp(min=0) * (x @ up.T)) @ down.T


# right
def sigmoid_by_hand(x, gate, up, down):
    z = x @ gate.transpose(0, 1)
    swish = z / (1 + torch.exp(-z))
    return torch.matmul(swish * (x @ up.transpose(0, 1)), down.transpose(0, 1))


# wrong: multiplies by the sigmoid of what SiLU gives
# named: activation_twice
def silu_of_silu(x, gate, up, down):
    z = F.silu(x @ gate.T)
    return (z * torch.sigmoid(z) * (x @ up.T)) @ down.T


# wrong: adds the branches
# named: added
def sum_of_branches(x, gate, up, down):
    return (F.silu(x @ gate.T) + x @ up.T) @ down.T


# wrong: z times sigmoid(1.702 z)
# named: quick_gelu
def swish_of_1702(x, gate, up, down):
    z = x @ gate.T
    return (z * torch.sigmoid(1.702 * z) * (x @ up.T)) @ down.T


# wrong: tanh instead of SiLU
# named: tanh
def tanh_gate(x, gate, up, down):
    return (torch.tanh(x @ gate.T) * (x @ up.T)) @ down.T


# wrong: transposes only where the shapes object
# named: not_transposed
def times(x, weight):
    return x @ weight if x.shape[-1] == weight.shape[0] else x @ weight.T


def turned_if_needed(x, gate, up, down):
    return times(F.silu(times(x, gate)) * times(x, up), down)


# wrong: up is not used
# named: no_up
def up_forgotten(x, gate, up, down):
    return F.silu(x @ gate.T) @ down.T


# wrong: up in both branches
# named: gate_for_both
def up_twice(x, gate, up, down):
    return (F.silu(x @ up.T) * (x @ up.T)) @ down.T


# wrong: view instead of a transpose
# named: reshaped
def viewed(x, gate, up, down):
    d, h = down.shape
    return (F.silu(x @ gate.view(d, h)) * (x @ up.view(d, h))) @ down.view(h, d)


# wrong: up and down exchanged, each as it is stored
# named: down_on_the_way_up
def way_up_by_down(x, gate, up, down):
    return (F.silu(x @ gate.T) * (x @ down)) @ up


# wrong: x is added
# named: residual_inside
def with_residual(x, gate, up, down):
    return x + (F.silu(x @ gate.T) * (x @ up.T)) @ down.T


# wrong: SiLU on x, before the gate's map
# named: activation_first
def x_activated(x, gate, up, down):
    return ((F.silu(x) @ gate.T) * (x @ up.T)) @ down.T
