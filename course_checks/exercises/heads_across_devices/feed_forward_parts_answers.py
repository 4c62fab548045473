"""Answers to feed_forward_parts (lesson 15, exercise 3), right and wrong, as students write them."""

import functools

import torch
import torch.nn.functional as F

import course_checks as checks


# right
def masked(x, w_up, b_up, w_down, b_down, num_devices):
    """All hidden features at once; a device is a dimension of them."""
    hidden = torch.relu(x @ w_up.T + b_up).unflatten(1, (num_devices, -1))  # (N, n, width)
    down = w_down.unflatten(1, (num_devices, -1))  # (d, n, width)
    parts = torch.einsum("tnw,dnw->ntd", hidden, down)
    return parts, parts.sum(dim=0) + b_down


# right
def chunks(x, w_up, b_up, w_down, b_down, num_devices):
    pieces = zip(
        w_up.chunk(num_devices),
        b_up.chunk(num_devices),
        w_down.chunk(num_devices, 1),
        strict=True,
    )
    parts = torch.stack([F.linear(F.relu(F.linear(x, u, b)), d) for u, b, d in pieces])
    return [parts, parts.sum(0).add(b_down)]


# right
def column(x, w_up, b_up, w_down, b_down, num_devices):
    """One hidden feature after the other; the output starts from the bias."""
    width, output = len(b_up) // num_devices, b_down.expand(len(x), -1)
    parts = [torch.zeros(len(x), len(b_down), dtype=x.dtype) for _ in range(num_devices)]
    for j in range(len(b_up)):
        hidden = (x @ w_up[j] + b_up[j]).clamp(min=0)
        parts[j // width] = parts[j // width] + hidden[:, None] * w_down[:, j]
    for part in parts:
        output = output + part
    return torch.stack(parts), output


# wrong: parts in a list
def list_of_parts(x, w_up, b_up, w_down, b_down, num_devices):
    width = w_up.shape[0] // num_devices
    parts = []
    for rank in range(num_devices):
        own = slice(rank * width, (rank + 1) * width)
        hidden = torch.relu(x @ w_up[own].T + b_up[own])
        parts.append(hidden @ w_down[:, own].T)
    return parts, sum(parts) + b_down


# wrong: the output is that of the whole network, which is computed once more
# named: whole_network_too
def whole_network_too(x, w_up, b_up, w_down, b_down, num_devices):
    h = torch.relu(torch.addmm(b_up, x, w_up.T)).unflatten(1, (num_devices, -1))
    parts = torch.einsum("tnf,onf->nto", h, w_down.unflatten(1, (num_devices, -1)))
    return [parts, torch.relu(x @ w_up.T + b_up) @ w_down.T + b_down]


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
# points: 5
def every_nth_feature(x, w_up, b_up, w_down, b_down, num_devices):
    parts = torch.stack(
        [
            torch.relu(x @ w_up[r::num_devices].T + b_up[r::num_devices])
            @ w_down[:, r::num_devices].T
            for r in range(num_devices)
        ]
    )
    return parts, parts.sum(dim=0) + b_down


# wrong: adds b_down to each part and to the sum
# named: bias_on_each_and_once
def bias_too_often(x, w_up, b_up, w_down, b_down, num_devices):
    args = x, w_up, b_up, w_down, b_down, num_devices
    parts = checks.feed_forward_parts.exercise.reference(*args)[0] + b_down
    return parts, parts.sum(0) + b_down


# wrong: takes the mean of the parts
# named: mean
# points: 5
def mean_of_parts(x, w_up, b_up, w_down, b_down, num_devices):
    args = x, w_up, b_up, w_down, b_down, num_devices
    parts = checks.feed_forward_parts.exercise.reference(*args)[0]
    return parts, parts.mean(0) + b_down


# wrong: returns the sum alone
def output_alone(*args):
    return checks.feed_forward_parts.exercise.reference(*args)[1]


# wrong: b_down in each term of the sum
# named: bias_on_each
def bias_in_the_sum(x, w_up, b_up, w_down, b_down, num_devices):
    ups, downs = w_up.chunk(num_devices), w_down.chunk(num_devices, dim=1)
    biases = b_up.chunk(num_devices)
    parts = [torch.relu(x @ u.T + b) @ d.T for u, b, d in zip(ups, biases, downs)]
    return torch.stack(parts), sum(part + b_down for part in parts)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for tokens, d_model, d_ff, n in ((2, 3, 6, 3), (4, 2, 8, 4), (1, 5, 10, 2), (3, 3, 2, 1)):
        up, down = randn(d_ff, d_model), randn(d_model, d_ff)
        yield randn(tokens, d_model), up, randn(d_ff), down, randn(d_model), n
