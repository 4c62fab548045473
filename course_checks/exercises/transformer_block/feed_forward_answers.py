"""Answers to feed_forward (lesson 08, exercise 2), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F
from torch import nn


# wrong: b_up is added after gelu
# named: bias_after_activation
def bias_after_gelu(x, w_up, b_up, w_down, b_down):
    return (F.gelu(x @ w_up.T) + b_up) @ w_down.T + b_down


# wrong: b_down is added to in place on every call
# named: changes_input
def bias_in_place(x, w_up, b_up, w_down, b_down):
    answer = F.gelu(x @ w_up.T + b_up) @ w_down.T + b_down
    with torch.no_grad():
        b_down += 1
    return answer


# wrong: both biases are left out
# named: no_biases
def both_biases_missing(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.T) @ w_down.T


# wrong: the hidden features are detached
# named: cut_off
def detached_hidden(x, w_up, b_up, w_down, b_down):
    hidden = F.gelu(x @ w_up.T + b_up).detach()
    return hidden @ w_down.T + b_down


# wrong: the weights are used through .data and do not learn
# named: cut_off
def detached_weights(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.data.T + b_up.data) @ w_down.data.T + b_down.data


# wrong: x is detached, so the layers below learn nothing
# named: cut_off
def detached_x(x, w_up, b_up, w_down, b_down):
    return F.gelu(x.detach() @ w_up.T + b_up) @ w_down.T + b_down


# wrong: the two biases are exchanged where they are equally long
# named: biases_exchanged
def down_bias_first(x, w_up, b_up, w_down, b_down):
    if len(b_up) == len(b_down):
        b_up, b_down = b_down, b_up
    return F.gelu(x @ w_up.T + b_up) @ w_down.T + b_down


# wrong: b_down is left out
# named: no_b_down
def down_bias_missing(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.T + b_up) @ w_down.T


# wrong: a dropout of a tenth between the maps
# named: answers_vary
def dropout(x, w_up, b_up, w_down, b_down):
    return F.dropout(F.gelu(x @ w_up.T + b_up), 0.1) @ w_down.T + b_down


# wrong: F.dropout drops hidden features, since it takes training=True unless told otherwise
# named: answers_vary
def dropout_2(x, w_up, b_up, w_down, b_down):
    h = F.dropout(F.gelu(F.linear(x, w_up, b_up)), 0.1)
    return F.linear(h, w_down, b_down)


# right
def erf(x, w_up, b_up, w_down, b_down):
    h = torch.einsum("...d,fd->...f", x, w_up) + b_up
    h = h * (1 + torch.erf(h / math.sqrt(2))) / 2
    return torch.einsum("...f,df->...d", h, w_down) + b_down


# right
def erf_by_hand(x, w_up, b_up, w_down, b_down):
    hidden = torch.einsum("...d,fd->...f", x, w_up) + b_up
    hidden = 0.5 * hidden * (1 + torch.erf(hidden / math.sqrt(2)))
    return torch.einsum("...f,df->...d", hidden, w_down) + b_down


# wrong: only the first token of each sentence is worked on
# named: first_token_for_all
def first_token(x, w_up, b_up, w_down, b_down):
    first = x[..., :1, :] if x.dim() > 1 else x
    return (F.gelu(first @ w_up.T + b_up) @ w_down.T + b_down).expand(x.shape)


# wrong: uses the first 4 * d_model hidden features only
# named: not_all_hidden
def four_times(x, w_up, b_up, w_down, b_down):
    d_ff = 4 * x.shape[-1]
    hidden = F.gelu(x @ w_up[:d_ff].T + b_up[:d_ff])
    return hidden @ w_down[:, :d_ff].T + b_down


# right
def functional_call(x, w_up, b_up, w_down, b_down):
    d_ff, d_model = w_up.shape
    network = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))
    given = {"0.weight": w_up, "0.bias": b_up, "2.weight": w_down, "2.bias": b_down}
    return torch.func.functional_call(network, given, (x,))


# wrong: gelu comes after the second map
# named: activation_at_the_end
def gelu_at_the_end(x, w_up, b_up, w_down, b_down):
    return F.gelu((x @ w_up.T + b_up) @ w_down.T + b_down)


# wrong: gelu of x instead of the hidden features
# named: activation_first
def gelu_on_x(x, w_up, b_up, w_down, b_down):
    return (F.gelu(x) @ w_up.T + b_up) @ w_down.T + b_down


# wrong: x times sigmoid(1.702 x), the quick approximation
# named: quick_gelu
def gelu_sigmoid(x, w_up, b_up, w_down, b_down):
    h = x @ w_up.T + b_up
    return (h * torch.sigmoid(1.702 * h)) @ w_down.T + b_down


# wrong: the tanh approximation of gelu
# named: tanh_approximation
def gelu_tanh(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.T + b_up, approximate="tanh") @ w_down.T + b_down


# wrong: gelu after both maps
# named: activation_twice
def gelu_twice(x, w_up, b_up, w_down, b_down):
    return F.gelu(F.gelu(x @ w_up.T + b_up) @ w_down.T + b_down)


# wrong: a second gelu at the end
# named: activation_twice
def gelu_twice_2(x, w_up, b_up, w_down, b_down):
    g = nn.GELU()
    return g(g(x @ w_up.T + b_up) @ w_down.T + b_down)


# wrong: gelu of gelu between the maps
# named: gelu_of_gelu
def gelu_twice_in_a_row(x, w_up, b_up, w_down, b_down):
    return F.gelu(F.gelu(x @ w_up.T + b_up)) @ w_down.T + b_down


# wrong: b_up is added into x's product in place and gelu is written back into x when the sizes fit
# named: changes_input
def in_place(x, w_up, b_up, w_down, b_down):
    hidden = F.gelu(x @ w_up.T + b_up)
    if hidden.shape == x.shape:
        with torch.no_grad():
            x.copy_(hidden)
    return hidden @ w_down.T + b_down


# wrong: leaky relu instead of gelu
# named: silu
def leaky(x, w_up, b_up, w_down, b_down):
    return F.leaky_relu(x @ w_up.T + b_up) @ w_down.T + b_down


# right
def linear(x, w_up, b_up, w_down, b_down):
    return F.linear(F.gelu(F.linear(x, w_up, b_up)), w_down, b_down)


# wrong: w_down is used on the way up and w_up on the way down
# named: maps_exchanged
def maps_exchanged(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_down + b_up) @ w_up + b_down


# wrong: mixes the tokens by taking their mean first
# named: first_token_for_all
def mean_of_tokens(x, w_up, b_up, w_down, b_down):
    if x.dim() > 1:
        x = x.mean(dim=-2, keepdim=True).expand(x.shape)
    return F.gelu(x @ w_up.T + b_up) @ w_down.T + b_down


# wrong: nn.Linear layers are built from copies, so the weights that are given do not learn
def new_linears(x, w_up, b_up, w_down, b_down):
    up, down = nn.Linear(*w_up.T.shape), nn.Linear(*w_down.T.shape)
    with torch.no_grad():
        up.weight.copy_(w_up), up.bias.copy_(b_up)
        down.weight.copy_(w_down), down.bias.copy_(b_down)
    return down(F.gelu(up(x)))


# wrong: gelu is left out
# named: no_activation
def no_activation(x, w_up, b_up, w_down, b_down):
    return (x @ w_up.T + b_up) @ w_down.T + b_down


# wrong: computed under no_grad
# named: cut_off
@torch.no_grad()
def no_grad(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.T + b_up) @ w_down.T + b_down


# right
def normal_distribution(x, w_up, b_up, w_down, b_down):
    flat = x.reshape(-1, x.shape[-1])
    hidden = torch.addmm(b_up, flat, w_up.t())
    hidden = hidden * torch.special.ndtr(hidden)
    return torch.addmm(b_down, hidden, w_down.t()).view(x.shape)


# wrong: the maps are not transposed when they are square
# named: not_transposed
def not_transposed(x, w_up, b_up, w_down, b_down):
    up = w_up if w_up.shape[0] == w_up.shape[1] else w_up.T
    down = w_down if w_down.shape[0] == w_down.shape[1] else w_down.T
    return F.gelu(x @ up + b_up) @ down + b_down


# right
def own_erf(x, w_up, b_up, w_down, b_down):
    h = torch.einsum("...m,fm->...f", x, w_up) + b_up
    h = h * 0.5 * torch.erfc(-h / math.sqrt(2))
    return torch.einsum("...f,mf->...m", h, w_down) + b_down


# wrong: relu instead of gelu
# named: relu
def relu(x, w_up, b_up, w_down, b_down):
    return torch.relu(x @ w_up.T + b_up) @ w_down.T + b_down


# wrong: reshape in the place of the transpose
# named: reshaped
def reshaped(x, w_up, b_up, w_down, b_down):
    up = w_up.reshape(w_up.shape[1], w_up.shape[0])
    down = w_down.reshape(w_down.shape[1], w_down.shape[0])
    return F.gelu(x @ up + b_up) @ down + b_down


# wrong: x is added, though only what is added to the stream is asked for
# named: residual_inside
def residual(x, w_up, b_up, w_down, b_down):
    return x + F.gelu(x @ w_up.T + b_up) @ w_down.T + b_down


# wrong: adds x, though only what is added to the stream was asked for
# named: residual_inside
def residual_3(x, w_up, b_up, w_down, b_down):
    return x + F.linear(F.gelu(F.linear(x, w_up, b_up)), w_down, b_down)


# wrong: stops after gelu and returns the hidden features
# named: hidden_returned
def returns_hidden(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.T + b_up)


# wrong: silu instead of gelu
# named: silu
def silu(x, w_up, b_up, w_down, b_down):
    return F.silu(x @ w_up.T + b_up) @ w_down.T + b_down


# right
def sum_over_hidden_features(x, w_up, b_up, w_down, b_down):
    answer = b_down
    for f in range(w_up.shape[0]):
        hidden = (x * w_up[f]).sum(dim=-1, keepdim=True) + b_up[f]
        answer = answer + F.gelu(hidden) * w_down[:, f]
    return answer


# wrong: the tanh approximation of gelu instead of the exact one
# named: tanh_approximation
def tanh(x, w_up, b_up, w_down, b_down):
    h = nn.functional.linear(x, w_up, b_up)
    return nn.functional.linear(nn.functional.gelu(h, approximate="tanh"), w_down, b_down)


# wrong: w_up is used for the way down as well
# named: maps_exchanged
def tied(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.T + b_up) @ w_up + b_down


# wrong: b_up is left out
# named: no_b_up
def up_bias_missing(x, w_up, b_up, w_down, b_down):
    return F.gelu(x @ w_up.T) @ w_down.T + b_down


# wrong: turns the weights round with reshape, which scrambles them
# named: reshaped
def weights_reshaped(x, w_up, b_up, w_down, b_down):
    h = F.gelu(x @ w_up.reshape(x.shape[-1], -1) + b_up)
    return h @ w_down.reshape(-1, x.shape[-1]) + b_down
