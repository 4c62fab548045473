"""Answers to the exercises on a real language model, of the kind that students hand in."""

import torch
import torch.nn.functional as F


def torchs_own_rms(x, weight, eps):
    return F.rms_norm(x, weight.shape, weight, eps)


def torchs_own_module(x, weight, eps):
    norm = torch.nn.RMSNorm(x.shape[-1], eps=eps, dtype=x.dtype)
    return norm(x) * weight


def unit_length(x, weight, eps):
    return F.normalize(x, dim=-1, eps=eps) * weight


def squares_without_keepdim(x, weight, eps):
    return x / torch.sqrt((x * x).mean(-1) + eps) * weight


def gemmas(x, weight, eps):
    return x * torch.rsqrt((x * x).mean(-1, True) + eps) * (weight + 1)


def divided_in_place(x, weight, eps):
    x /= (x.square().mean(-1, keepdim=True) + eps).sqrt()
    return x * weight


def always_float32(x, weight, eps):
    x = x.float()
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * weight.float()


def up_is_the_gate(x, gate, up, down):
    return F.linear(F.silu(F.linear(x, up)) * F.linear(x, gate), down)


def glu_of_torch(x, gate, up, down):
    return F.glu(torch.cat((x @ up.T, x @ gate.T), dim=-1), dim=-1) @ down.T


def without_a_transpose(x, gate, up, down):
    return (F.silu(x @ gate) * (x @ up)) @ down


def fresh_maps(x, gate, up, down):
    to_gate, to_up = torch.nn.Linear(*gate.T.shape), torch.nn.Linear(*up.T.shape)
    return torch.nn.Linear(*down.T.shape)(F.silu(to_gate(x)) * to_up(x))


def repeated_like_tiles(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    size = len(w_q) // num_heads
    own = slice(head * size, (head + 1) * size)
    group = num_heads // num_kv_heads
    return w_q[own], w_k.repeat(group, 1)[own], w_v.repeat(group, 1)[own]


def same_slice_of_all(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    size = len(w_q) // num_heads
    own = slice(head * size, (head + 1) * size)
    return w_q[own], w_k[own], w_v[own]


def chunks_of_all(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    return tuple(w.chunk(num_heads)[head] for w in (w_q, w_k, w_v))


def without_the_value(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    size = len(w_q) // num_heads
    return w_q[head * size : (head + 1) * size], w_k[:size]


def back_to_neighbours(weight, num_heads):
    parts = weight.reshape(num_heads, 2, -1, weight.shape[-1])
    return parts.transpose(1, 2).reshape(weight.shape)


def no_heads(weight, num_heads):
    return torch.cat((weight[::2], weight[1::2]))


def writes_into_weight(weight, num_heads):
    for head in weight.view(num_heads, -1, weight.shape[1]):
        head.copy_(torch.cat((head[::2], head[1::2])))
    return weight


def sixty_four_rows(weight, num_heads):
    heads = [weight[64 * i : 64 * (i + 1)] for i in range(num_heads)]
    return torch.cat([part for head in heads for part in (head[::2], head[1::2])])


ANSWERS = [
    ("rms_norm", torchs_own_rms, 0, "closed", "own norm is closed here"),
    ("rms_norm", torchs_own_module, 0, "closed", "own norm is closed here"),
    ("rms_norm", unit_length, 0, "sum_of_squares", "the root of their mean"),
    ("rms_norm", squares_without_keepdim, 0, "no_keepdim", "leaves an axis of size 1"),
    ("rms_norm", gemmas, 0, "one_plus_weight", "as Gemma does"),
    ("rms_norm", divided_in_place, 5, "changes_input", "x -= 1 does not"),
    ("rms_norm", always_float32, 6, "dtype", "should keep it"),
    ("swiglu", up_is_the_gate, 0, "gate_up_exchanged", "Shapes cannot tell"),
    ("swiglu", glu_of_torch, 0, "sigmoid", "between 0 and 1"),
    ("swiglu", without_a_transpose, 0, "not_transposed", "(out_features, in_features)"),
    ("swiglu", fresh_maps, 0, "varies", "two different answers"),
    ("parts_of_head", repeated_like_tiles, 3, "dealt_like_cards", "like cards"),
    ("parts_of_head", same_slice_of_all, 2, "own_number", "run out of rows"),
    ("parts_of_head", chunks_of_all, 0, None, "Was it forgotten"),
    ("parts_of_head", without_the_value, 0, None, "should return 3 things"),
    ("neighbours_to_halves", back_to_neighbours, 0, "other_direction", "the other way"),
    ("neighbours_to_halves", no_heads, 2, "whole_matrix", "Sort within each head"),
    ("neighbours_to_halves", writes_into_weight, 5, "changes_input", "in place"),
    ("neighbours_to_halves", sixty_four_rows, 2, "sixty_four_rows", "as SmolLM2 has"),
]
