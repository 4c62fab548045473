"""Right answers to the exercises on heads across devices, written in other ways."""

import math
from collections import Counter

import torch
import torch.nn.functional as F


def cut_heads_chunks(w_query, w_key, w_value, w_out, rank, num_devices):
    rows = [w.chunk(num_devices)[rank] for w in (w_query, w_key, w_value)]
    return [*rows, w_out.chunk(num_devices, dim=1)[rank]]


def cut_heads_narrow(w_query, w_key, w_value, w_out, rank, num_devices):
    width = w_out.size(1) // num_devices
    first = rank * width
    cut = [torch.narrow(w, 0, first, width) for w in (w_query, w_key, w_value)]
    return (*cut, torch.narrow(w_out, 1, first, width))


def cut_heads_view(w_query, w_key, w_value, w_out, rank, num_devices):
    """The devices become a dimension of their own."""

    def own(w):
        return w.reshape(num_devices, -1, w.shape[-1])[rank]

    return own(w_query), own(w_key), own(w_value), own(w_out.T.contiguous()).T


def cut_heads_index(w_query, w_key, w_value, w_out, rank, num_devices):
    numbers = torch.arange(len(w_query)).view(num_devices, -1)[rank]
    rows = [w.index_select(0, numbers) for w in (w_query, w_key, w_value)]
    return *rows, w_out[:, numbers]


def part_of_device_loop(x, w_query, w_key, w_value, w_out, head_dim):
    """Head by head; their parts are added."""
    part = torch.zeros(x.shape[0], w_out.shape[0], dtype=x.dtype)
    for first in range(0, len(w_query), head_dim):
        own = slice(first, first + head_dim)
        q, k, v = x @ w_query[own].T, x @ w_key[own].T, x @ w_value[own].T
        part = part + (q @ k.T / head_dim**0.5).softmax(1) @ v @ w_out[:, own].T
    return part


def part_of_device_einsum(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (
        torch.einsum("nd,hed->hne", x, w.reshape(-1, head_dim, w.shape[1]))
        for w in (w_query, w_key, w_value)
    )
    weights = torch.einsum("hqe,hke->hqk", q, k).div(math.sqrt(head_dim)).softmax(-1)
    heads = torch.einsum("hqk,hke->hqe", weights, v)
    out = w_out.reshape(w_out.shape[0], -1, head_dim)
    return torch.einsum("hqe,dhe->qd", heads, out)


def part_of_device_linear(x, w_query, w_key, w_value, w_out, head_dim):
    n = x.shape[0]
    q, k, v = (F.linear(x, w).view(n, -1, head_dim) for w in (w_query, w_key, w_value))
    scores = (q.permute(1, 0, 2) * head_dim**-0.5) @ k.permute(1, 2, 0)
    exp = (scores - scores.amax(-1, keepdim=True)).exp()
    heads = exp / exp.sum(-1, keepdim=True) @ v.permute(1, 0, 2)
    return F.linear(heads.permute(1, 0, 2).reshape(n, -1), w_out)


def feed_forward_parts_masked(x, w_up, b_up, w_down, b_down, num_devices):
    """All hidden features at once; a device is a dimension of them."""
    hidden = torch.relu(x @ w_up.T + b_up).unflatten(1, (num_devices, -1))  # (N, n, width)
    down = w_down.unflatten(1, (num_devices, -1))  # (d, n, width)
    parts = torch.einsum("tnw,dnw->ntd", hidden, down)
    return parts, parts.sum(dim=0) + b_down


def feed_forward_parts_chunks(x, w_up, b_up, w_down, b_down, num_devices):
    pieces = zip(
        w_up.chunk(num_devices),
        b_up.chunk(num_devices),
        w_down.chunk(num_devices, 1),
        strict=True,
    )
    parts = torch.stack([F.linear(F.relu(F.linear(x, u, b)), d) for u, b, d in pieces])
    return [parts, parts.sum(0).add(b_down)]


def feed_forward_parts_column(x, w_up, b_up, w_down, b_down, num_devices):
    """One hidden feature after the other; the output starts from the bias."""
    width, output = len(b_up) // num_devices, b_down.expand(len(x), -1)
    parts = [torch.zeros(len(x), len(b_down), dtype=x.dtype) for _ in range(num_devices)]
    for j in range(len(b_up)):
        hidden = (x @ w_up[j] + b_up[j]).clamp(min=0)
        parts[j // width] = parts[j // width] + hidden[:, None] * w_down[:, j]
    for part in parts:
        output = output + part
    return torch.stack(parts), output


def key_heads_of_ceil(rank, num_devices, num_heads, num_kv_heads):
    first = rank * num_kv_heads // num_devices
    return first, max(1, num_kv_heads // num_devices), max(1, num_devices // num_kv_heads)


def key_heads_of_sets(rank, num_devices, num_heads, num_kv_heads):
    owners = [h * num_devices // num_heads for h in range(num_heads)]
    keys = [h * num_kv_heads // num_heads for h in range(num_heads)]
    pairs = set(zip(owners, keys, strict=True))
    own = sorted(key for device, key in pairs if device == rank)
    return [own[0], len(own), Counter(key for _, key in pairs)[own[0]]]


def key_heads_of_tensor(rank, num_devices, num_heads, num_kv_heads):
    keys = torch.arange(num_kv_heads).repeat_interleave(num_heads // num_kv_heads)
    devices = keys.view(num_devices, -1)
    own = devices[rank].unique()
    return torch.tensor([own[0], len(own), (devices == own[0]).any(dim=1).sum()])


def ring_output_logsumexp(query, keys, values, rank, is_causal):
    """Outputs and logarithms of totals are kept, and merged in the end."""
    outputs, totals = [], []
    for i in range(rank + 1 if is_causal else len(keys)):
        scores = query @ keys[i].T * query.shape[1] ** -0.5
        if is_causal and i == rank:
            scores = scores + torch.full_like(scores, -math.inf).triu(1)
        outputs.append(scores.softmax(-1) @ values[i])
        totals.append(scores.logsumexp(-1))
    share = torch.stack(totals).softmax(0)[..., None]  # (parts, size, 1)
    return (share * torch.stack(outputs)).sum(0)


def ring_output_other_way(query, keys, values, rank, is_causal):
    """From device 0 on, token by token, with a maximum for each query."""
    kept = None
    for source in range(len(keys)):
        if is_causal and source > rank:
            break
        scores = query.mm(keys[source].T).div(math.sqrt(query.shape[1]))
        if is_causal and source == rank:
            scores[torch.ones_like(scores).triu(1).bool()] = -math.inf
        top = scores.max(1, keepdim=True).values
        exp = (scores - top).exp()
        new = [top, exp.sum(1, keepdim=True), exp.mm(values[source])]
        if kept is not None:
            larger = torch.max(kept[0], top)
            a, b = (kept[0] - larger).exp(), (top - larger).exp()
            new = [larger, a * kept[1] + b * new[1], a * kept[2] + b * new[2]]
        kept = new
    return kept[2].div(kept[1])


def bytes_sent_steps(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    """Step by step, chunk by chunk."""
    n, heads, ring = num_devices, 0, 0
    for _ in range(2 * n - 2):
        heads += (tokens // n) * num_heads * head_dim * bytes_per_number
    for _ in range(n - 1):
        ring += (tokens // n) * num_kv_heads * head_dim * bytes_per_number  # keys
        ring += (tokens // n) * num_kv_heads * head_dim * bytes_per_number  # values
    return heads, ring


def bytes_sent_tensor(tokens, num_heads, num_kv_heads, head_dim, num_devices, bytes_per_number):
    unit = 2 * (num_devices - 1) * (tokens // num_devices) * head_dim * bytes_per_number
    return torch.tensor([num_heads, num_kv_heads]) * unit
