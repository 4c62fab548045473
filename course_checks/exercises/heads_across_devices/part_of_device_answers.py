"""Answers to part_of_device (lesson 15, exercise 2), right and wrong, as students write them."""

import functools
import math

import torch
import torch.nn.functional as F


# right
def loop(x, w_query, w_key, w_value, w_out, head_dim):
    """Head by head; their parts are added."""
    part = torch.zeros(x.shape[0], w_out.shape[0], dtype=x.dtype)
    for first in range(0, len(w_query), head_dim):
        own = slice(first, first + head_dim)
        q, k, v = x @ w_query[own].T, x @ w_key[own].T, x @ w_value[own].T
        part = part + (q @ k.T / head_dim**0.5).softmax(1) @ v @ w_out[:, own].T
    return part


# right
def einsum(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (
        torch.einsum("nd,hed->hne", x, w.reshape(-1, head_dim, w.shape[1]))
        for w in (w_query, w_key, w_value)
    )
    weights = torch.einsum("hqe,hke->hqk", q, k).div(math.sqrt(head_dim)).softmax(-1)
    heads = torch.einsum("hqk,hke->hqe", weights, v)
    out = w_out.reshape(w_out.shape[0], -1, head_dim)
    return torch.einsum("hqe,dhe->qd", heads, out)


# right
def linear(x, w_query, w_key, w_value, w_out, head_dim):
    n = x.shape[0]
    q, k, v = (F.linear(x, w).view(n, -1, head_dim) for w in (w_query, w_key, w_value))
    scores = (q.permute(1, 0, 2) * head_dim**-0.5) @ k.permute(1, 2, 0)
    exp = (scores - scores.amax(-1, keepdim=True)).exp()
    heads = exp / exp.sum(-1, keepdim=True) @ v.permute(1, 0, 2)
    return F.linear(heads.permute(1, 0, 2).reshape(n, -1), w_out)


# wrong: only first head of the device
# named: first_head_only
def first_head_only_too(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (x @ w[:head_dim].T for w in (w_query, w_key, w_value))
    return (q @ k.T / head_dim**0.5).softmax(-1) @ v @ w_out[:, :head_dim].T


# wrong: takes the mean over its heads
# named: mean_of_heads
# points: 3
def mean_of_heads_too(x, w_query, w_key, w_value, w_out, head_dim):
    n, out = w_query.shape[0] // head_dim, 0
    for i in range(n):
        o = slice(i * head_dim, (i + 1) * head_dim)
        q, k, v = (x @ w[o].T for w in (w_query, w_key, w_value))
        out = out + (q @ k.T / head_dim**0.5).softmax(-1) @ v @ w_out[:, o].T
    return out / n


# wrong: does not scale the scores
# named: not_scaled
def without_the_root(x, w_query, w_key, w_value, w_out, head_dim):
    heads = []
    for i in range(0, len(w_query), head_dim):
        q, k, v = (x @ w[i : i + head_dim].T for w in (w_query, w_key, w_value))
        heads.append((q @ k.T).softmax(-1) @ v)
    return torch.cat(heads, -1) @ w_out.T


# wrong: stops at the heads, as if the sum came before W_O
def before_w_out(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (x @ w.T for w in (w_query, w_key, w_value))
    return (q @ k.T / math.sqrt(head_dim)).softmax(-1) @ v


# wrong: calls torch's attention
# named: forbidden
def by_torch(x, w_query, w_key, w_value, w_out, head_dim):
    q, k, v = (
        (x @ w.T).unflatten(-1, (-1, head_dim)).transpose(0, 1) for w in (w_query, w_key, w_value)
    )
    return F.scaled_dot_product_attention(q, k, v).transpose(0, 1).flatten(1) @ w_out.T


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for heads, head_dim, seq_len, d_model in ((2, 3, 4, 5), (4, 2, 2, 7), (1, 5, 3, 4)):
        matrices = [randn(heads * head_dim, d_model) for _ in range(3)]
        out = randn(d_model, heads * head_dim)
        yield randn(seq_len, d_model), *matrices, out, head_dim
