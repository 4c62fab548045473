"""Right answers to the exercises on heads in one matrix, written in other ways."""

import contextlib
import functools
import statistics

import numpy as np
import torch
from torch import nn


def split_heads_permute(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).permute(0, 2, 1, 3)


def split_heads_chunks(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=2), dim=1)


def split_heads_loop(x, num_heads):
    size = x.size(2) // num_heads
    out = torch.empty(len(x), num_heads, x.size(1), size, dtype=x.dtype)
    for i in range(num_heads):
        out[:, i] = x[:, :, i * size : (i + 1) * size]
    return out


def combine_heads_cat(heads):
    return torch.cat(heads.unbind(dim=1), dim=-1)


def combine_heads_contiguous(heads):
    heads = heads.permute(0, 2, 1, 3).contiguous()
    return heads.view(*heads.shape[:2], -1)


def combine_heads_einsum(heads):
    return torch.einsum("bhtd->bthd", heads).flatten(2)


def probe_layer_jacobian(layer, x):
    slopes = torch.autograd.functional.jacobian(layer, x, vectorize=True)  # (B, T, d, B, T, d)
    hears = slopes.abs().amax(dim=(2, 5)) > 1e-6  # (B, T, B, T): output, input
    own = torch.eye(len(x), dtype=torch.bool)
    others = ~torch.eye(x.shape[1], dtype=torch.bool)
    inside = hears[own[:, None, :, None].expand_as(hears)].view(len(x), x.shape[1], x.shape[1])
    orders = [torch.randperm(x.shape[1]) for _ in range(5)]
    follows = all(torch.allclose(layer(x[:, o]), layer(x)[:, o], atol=1e-5) for o in orders)
    alone = torch.allclose(layer(x[:1]), layer(x)[:1], atol=1e-5)  # it may go by their number
    alone = alone and not hears[~own[:, None, :, None].expand_as(hears)].any()
    return follows, alone, inside[:, others].any()


def probe_layer_numpy(layer, x):
    def same(a, b):
        return np.allclose(a.numpy(), b.numpy(), atol=1e-5)

    order, out = torch.randperm(x.shape[1]), layer(x)
    independent = all(same(layer(part), out[b : b + 1]) for b, part in enumerate(x.split(1)))
    connected = False
    for b, t in np.ndindex(*x.shape[:2]):
        kept = x.clone()  # of sentence b, all but token t are changed
        kept[b] = torch.randn_like(x[b])
        kept[b, t] = x[b, t]
        connected = connected or not same(layer(kept)[b, t], out[b, t])
    return [same(layer(x[:, order])[:, order.argsort()], out), independent, connected]


def heads_to_matrix_flattened(heads):
    parts = (torch.stack([getattr(h, name) for h in heads]) for name in ("weight", "bias"))
    return tuple(part.flatten(0, 1) for part in parts)


def heads_to_matrix_measured(heads):
    """The bias is what comes out for 0, a column of the weight what a unit input adds."""
    rows = torch.eye(heads[0].in_features, dtype=heads[0].weight.dtype)
    bias = torch.cat([head(0 * rows[0]) for head in heads])
    return (torch.cat([head(rows) for head in heads], dim=-1) - bias).T, bias


def head_parts_chunks(w_query, w_output, num_heads, i):
    return w_query.chunk(num_heads)[i], w_output.chunk(num_heads, dim=1)[i]


def head_parts_views(w_query, w_output, num_heads, i):
    d_model = len(w_query)
    rows = w_query.reshape(num_heads, -1, d_model)[i]
    return [rows, w_output.reshape(d_model, num_heads, -1)[:, i]]


def unpack_gpt2_columns(weight):
    return [part.T for part in weight.split(len(weight), dim=1)]


def unpack_gpt2_permuted(weight):
    return weight.reshape(len(weight), 3, len(weight)).permute(1, 2, 0).unbind()


def unpack_neox_chunks(weight, num_heads):
    pieces = weight.chunk(3 * num_heads)  # query, key, value of head 0, query of head 1, ...
    return tuple(torch.cat(pieces[i::3]) for i in range(3))


def unpack_neox_rows(weight, num_heads):
    size = len(weight) // (3 * num_heads)
    which = torch.arange(len(weight)) // size % 3
    return [weight[which == i] for i in range(3)]


def trace_shapes_partial(module, x):
    found = []

    def record(name, part, inputs, output):
        while isinstance(output, (tuple, list)):
            output = output[0]
        found.append((name, output.shape))

    with contextlib.ExitStack() as stack:
        for name, part in module.named_modules():
            hook = part.register_forward_hook(functools.partial(record, name))
            stack.callback(hook.remove)
        module(x)
    return found


def trace_shapes_global(module, x):
    names, found = {part: name for name, part in module.named_modules()}, []

    def record(part, inputs, output):
        first = output if isinstance(output, torch.Tensor) else output[0]
        found.append([names[part], first.shape])

    handle = torch.nn.modules.module.register_module_forward_hook(record)
    try:
        module(x)
    finally:
        handle.remove()
    return found


def relative_costs_statistics(functions, timer, rounds):
    times = {function: [] for function in functions}
    for turn in range(rounds + 2):  # two rounds of warm-up
        for function in functions:
            begin = timer()
            function()
            end = timer()
            if turn >= 2:
                times[function].append(end - begin)
    first, *others = (statistics.median(own) for own in times.values())
    return [1.0] + [other / first for other in others]


def relative_costs_numpy(functions, timer, rounds):
    [function() for function in functions]
    times = np.zeros((rounds, len(functions)))
    for row in range(rounds):
        order = range(len(functions))
        for column in order if row % 2 else reversed(order):  # to and fro
            start = timer()
            functions[column]()
            times[row, column] = timer() - start
    medians = np.median(times, axis=0)
    return medians / medians[0]


class MyMultiHead_einsum(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.head_dim = d_model // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )

    def forward(self, x):
        query, key, value = (
            one(x).unflatten(-1, (-1, self.head_dim))
            for one in (self.q_proj, self.k_proj, self.v_proj)
        )
        scores = torch.einsum("bihd,bjhd->bhij", query, key) * self.head_dim**-0.5
        weights = scores.softmax(dim=-1)
        return self.out_proj(torch.einsum("bhij,bjhd->bihd", weights, value).flatten(2)), weights


class MyMultiHead_stacked_chunks(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            self.register_module(name, nn.Linear(d_model, d_model, bias=False))

    def forward(self, x):
        query, key, value = (
            torch.stack(projection(x).chunk(self.num_heads, dim=-1), dim=1)
            for projection in (self.q_proj, self.k_proj, self.v_proj)
        )
        weights = torch.softmax(query @ key.mT / query.shape[-1] ** 0.5, dim=-1)
        return self.out_proj(torch.cat((weights @ value).unbind(dim=1), dim=-1)), weights
