"""Answers to part_of_device (lesson 15, exercise 2), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F


# wrong: every n-th feature makes a head
# named: torn_apart
def features_in_turns(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (
        (x @ w.T).unflatten(-1, (head_dim, -1)).permute(2, 0, 1) for w in (w_query, w_key, w_value)
    )
    s = (q @ k.transpose(1, 2) / math.sqrt(head_dim)).softmax(-1)
    return (s @ v).permute(1, 2, 0).flatten(1) @ w_out.T


# wrong: as many heads as d_model has
def heads_of_d_model(x, w_query, w_key, w_value, w_out, head_dim):
    n = x.shape[1] // head_dim
    q, k, v = (
        (x @ w.T).unflatten(-1, (n, head_dim)).transpose(0, 1) for w in (w_query, w_key, w_value)
    )
    s = (q @ k.transpose(1, 2) / math.sqrt(head_dim)).softmax(-1)
    return (s @ v).transpose(0, 1).flatten(1) @ w_out.T


# wrong: no transpose before joining
# named: joined_wrongly
def joined_without_transpose(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (
        (x @ w.T).unflatten(-1, (-1, head_dim)).transpose(0, 1) for w in (w_query, w_key, w_value)
    )
    s = (q @ k.transpose(1, 2) / math.sqrt(head_dim)).softmax(-1)
    return (s @ v).reshape(x.shape[0], -1) @ w_out.T


# wrong: all features as one head
# named: one_wide_head
def one_head(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = x @ w_query.T, x @ w_key.T, x @ w_value.T
    return (q @ k.T / math.sqrt(head_dim)).softmax(-1) @ v @ w_out.T


# wrong: reshape instead of the transpose
# named: positions_mixed
def reshaped(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = ((x @ w.T).reshape(-1, x.shape[0], head_dim) for w in (w_query, w_key, w_value))
    s = (q @ k.transpose(1, 2) / math.sqrt(head_dim)).softmax(-1)
    return (s @ v).transpose(0, 1).flatten(1) @ w_out.T


# right
def right_einsum(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (F.linear(x, w).view(x.shape[0], -1, head_dim) for w in (w_query, w_key, w_value))
    s = torch.einsum("ihd,jhd->hij", q, k) * head_dim**-0.5
    out = w_out.view(w_out.shape[0], -1, head_dim)
    return torch.einsum("hij,jhd,ohd->io", s.softmax(2), v, out)


# right
def right_sum_over_heads(x, w_query, w_key, w_value, w_out, head_dim):
    out = 0
    for i in range(0, w_query.shape[0], head_dim):
        h = slice(i, i + head_dim)
        q, k, v = x @ w_query[h].T, x @ w_key[h].T, x @ w_value[h].T
        out = out + torch.softmax(q @ k.T / head_dim**0.5, -1) @ v @ w_out[:, h].T
    return out


# wrong: the square root of d_model
# named: scaled_by_all
def root_of_d_model(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (
        (x @ w.T).unflatten(-1, (-1, head_dim)).transpose(0, 1) for w in (w_query, w_key, w_value)
    )
    s = (q @ k.transpose(1, 2) / math.sqrt(x.shape[-1])).softmax(-1)
    return (s @ v).transpose(0, 1).flatten(1) @ w_out.T


# wrong: w_out as it is
# named: out_not_transposed
def w_out_not_transposed(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (
        (x @ w.T).unflatten(-1, (-1, head_dim)).transpose(0, 1) for w in (w_query, w_key, w_value)
    )
    s = (q @ k.transpose(1, 2) / math.sqrt(head_dim)).softmax(-1)
    return (s @ v).transpose(0, 1).flatten(1) @ w_out


# wrong: only first head of the device
# named: first_head_only
def first_head_only_too(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (x @ w[:head_dim].T for w in (w_query, w_key, w_value))
    return (q @ k.T / head_dim**0.5).softmax(-1) @ v @ w_out[:, :head_dim].T


# wrong: causal mask that nobody asked for
# named: causal
def causal_too(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (
        (x @ w.T).unflatten(-1, (-1, head_dim)).transpose(0, 1) for w in (w_query, w_key, w_value)
    )
    s = (q @ k.mT / head_dim**0.5).masked_fill(torch.ones(len(x), len(x)).triu(1).bool(), -math.inf)
    return (s.softmax(-1) @ v).transpose(0, 1).flatten(1) @ w_out.T


# wrong: takes the mean over its heads
# named: mean_of_heads
def mean_of_heads_too(x, w_query, w_key, w_value, w_out, head_dim):
    n, out = w_query.shape[0] // head_dim, 0
    for i in range(n):
        o = slice(i * head_dim, (i + 1) * head_dim)
        q, k, v = (x @ w[o].T for w in (w_query, w_key, w_value))
        out = out + (q @ k.T / head_dim**0.5).softmax(-1) @ v @ w_out[:, o].T
    return out / n
