"""Answers to feed_forward_parts (lesson 15, exercise 3), right and wrong, as students write them."""

import torch
import torch.nn.functional as F


# wrong: b_up divided by the devices
# named: inner_bias_in_shares
def b_up_divided(x, w_up, b_up, w_down, b_down, num_devices):
    width = w_up.shape[0] // num_devices
    parts = []
    for rank in range(num_devices):
        own = slice(rank * width, (rank + 1) * width)
        hidden = torch.relu(x @ w_up[own].T + b_up[own] / num_devices)
        parts.append(hidden @ w_down[:, own].T)
    parts = torch.stack(parts)
    return parts, parts.sum(0) + b_down


# wrong: b_down on every device
# named: bias_on_each
def bias_each(x, w_up, b_up, w_down, b_down, num_devices):
    width = w_up.shape[0] // num_devices
    parts = []
    for rank in range(num_devices):
        own = slice(rank * width, (rank + 1) * width)
        hidden = torch.relu(x @ w_up[own].T + b_up[own])
        parts.append(hidden @ w_down[:, own].T + b_down)
    parts = torch.stack(parts)
    return parts, parts.sum(0)


# wrong: parts in a list
def list_of_parts(x, w_up, b_up, w_down, b_down, num_devices):
    width = w_up.shape[0] // num_devices
    parts = []
    for rank in range(num_devices):
        own = slice(rank * width, (rank + 1) * width)
        hidden = torch.relu(x @ w_up[own].T + b_up[own])
        parts.append(hidden @ w_down[:, own].T)
    return parts, sum(parts) + b_down


# wrong: b_down forgotten
# named: bias_forgotten
def no_b_down(x, w_up, b_up, w_down, b_down, num_devices):
    width = w_up.shape[0] // num_devices
    parts = []
    for rank in range(num_devices):
        own = slice(rank * width, (rank + 1) * width)
        hidden = torch.relu(x @ w_up[own].T + b_up[own])
        parts.append(hidden @ w_down[:, own].T)
    parts = torch.stack(parts)
    return parts, parts.sum(0)


# wrong: b_up forgotten
# named: no_inner_bias
def no_b_up(x, w_up, b_up, w_down, b_down, num_devices):
    width = w_up.shape[0] // num_devices
    parts = []
    for rank in range(num_devices):
        own = slice(rank * width, (rank + 1) * width)
        hidden = torch.relu(x @ w_up[own].T)
        parts.append(hidden @ w_down[:, own].T)
    parts = torch.stack(parts)
    return parts, parts.sum(0) + b_down


# wrong: the ReLU of the sum, before b_down
# named: activation_after
def relu_after_sum(x, w_up, b_up, w_down, b_down, num_devices):
    width = w_up.shape[0] // num_devices
    parts = []
    for rank in range(num_devices):
        own = slice(rank * width, (rank + 1) * width)
        hidden = x @ w_up[own].T + b_up[own]
        parts.append(hidden @ w_down[:, own].T)
    parts = torch.stack(parts)
    return parts, torch.relu(parts.sum(0)) + b_down


# wrong: the output is that of the whole network, which is computed once more
# named: whole_network_too
def whole_network_too(x, w_up, b_up, w_down, b_down, num_devices):
    h = torch.relu(torch.addmm(b_up, x, w_up.T)).unflatten(1, (num_devices, -1))
    parts = torch.einsum("tnf,onf->nto", h, w_down.unflatten(1, (num_devices, -1)))
    return [parts, torch.relu(x @ w_up.T + b_up) @ w_down.T + b_down]


# right
def right_filled(x, w_up, b_up, w_down, b_down, num_devices):
    n = num_devices
    parts = x.new_zeros(n, *x.shape)
    for r, (up, b, down) in enumerate(zip(w_up.chunk(n), b_up.chunk(n), w_down.chunk(n, 1))):
        parts[r] = (x @ up.T + b).clamp(min=0) @ down.T
    out = b_down.expand_as(x).clone()
    for part in parts:
        out += part
    return parts, out


# wrong: a share of b_down in each part
# named: bias_on_the_first
def share_of_b_down_in_parts(x, w_up, b_up, w_down, b_down, num_devices):
    width = w_up.shape[0] // num_devices
    parts = []
    for rank in range(num_devices):
        own = slice(rank * width, (rank + 1) * width)
        hidden = torch.relu(x @ w_up[own].T + b_up[own])
        parts.append(hidden @ w_down[:, own].T)
    parts = torch.stack(parts)
    return parts + b_down / num_devices, parts.sum(0) + b_down


# wrong: output first
# named: exchanged
def swapped(x, w_up, b_up, w_down, b_down, num_devices):
    width = w_up.shape[0] // num_devices
    parts = []
    for rank in range(num_devices):
        own = slice(rank * width, (rank + 1) * width)
        hidden = torch.relu(x @ w_up[own].T + b_up[own])
        parts.append(hidden @ w_down[:, own].T)
    parts = torch.stack(parts)
    return parts.sum(0) + b_down, parts


# wrong: gelu
# named: other_activation
def other_activation_too(x, w_up, b_up, w_down, b_down, num_devices):
    p = torch.stack(
        [
            F.gelu(x @ u.T + b) @ d.T
            for u, b, d in zip(
                w_up.chunk(num_devices), b_up.chunk(num_devices), w_down.chunk(num_devices, 1)
            )
        ]
    )
    return p, p.sum(0) + b_down


# wrong: float64 goes through a buffer of float32
# named: dtype
def float32_buffer(x, w_up, b_up, w_down, b_down, num_devices):
    parts = torch.zeros(num_devices, len(x), len(b_down))
    width = len(b_up) // num_devices
    for r in range(num_devices):
        own = torch.arange(r * width, (r + 1) * width)
        parts[r] = torch.relu(x @ w_up[own].T + b_up[own]) @ w_down[:, own].T
    return parts, parts.sum(dim=0) + b_down


# wrong: the hidden features are dealt out in turns
# named: in_turns
def every_nth_feature(x, w_up, b_up, w_down, b_down, num_devices):
    parts = torch.stack(
        [
            torch.relu(x @ w_up[r::num_devices].T + b_up[r::num_devices])
            @ w_down[:, r::num_devices].T
            for r in range(num_devices)
        ]
    )
    return parts, parts.sum(dim=0) + b_down


# right
def right_einsum(x, w_up, b_up, w_down, b_down, num_devices):
    h = torch.relu(torch.addmm(b_up, x, w_up.T)).unflatten(1, (num_devices, -1))
    parts = torch.einsum("tnf,onf->nto", h, w_down.unflatten(1, (num_devices, -1)))
    return [parts, parts.sum(0) + b_down]
