"""Right answers to the exercises on single head, written in other ways."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def project_qkv_linear(x, w_query, w_key, w_value):
    return [F.linear(x, weight) for weight in (w_query, w_key, w_value)]


def project_qkv_einsum(x, *weights):
    return tuple(torch.einsum("...td,hd->...th", x, weight) for weight in weights)


def project_qkv_chunk(x, w_query, w_key, w_value):
    return (x @ torch.cat([w_query, w_key, w_value]).T).chunk(3, dim=-1)


def scaled_scores_einsum(query, key):
    return torch.einsum("...id,...jd->...ij", query, key) * key.size(-1) ** -0.5


def scaled_scores_before(query, key):
    root = query.shape[-1] ** 0.25
    return (query / root) @ (key / root).mT


def is_equivariant_inverse(layer, x):
    order = torch.randperm(x.size(0))
    return (layer(x[order])[order.argsort()] - layer(x)).abs().max().item() < 1e-4


def is_equivariant_swaps(layer, x):
    out = layer(x)
    for i in range(len(x) - 1):  # swaps of neighbours generate every order
        order = list(range(len(x)))
        order[i], order[i + 1] = order[i + 1], order[i]
        if not np.allclose(layer(x[order]).numpy(), out[order].numpy(), atol=1e-5):
            return False
    return True


def single_head_sdpa(x, w_query, w_key, w_value):
    query, key, value = (F.linear(x, weight) for weight in (w_query, w_key, w_value))
    identity = torch.eye(x.shape[-2], dtype=x.dtype).expand(*x.shape[:-1], -1)
    return [F.scaled_dot_product_attention(query, key, v) for v in (value, identity)]


def single_head_float64(x, w_query, w_key, w_value):
    y, wq, wk, wv = (part.double() for part in (x, w_query, w_key, w_value))
    weights = (y @ (wq.T @ wk) @ y.mT / wq.shape[0] ** 0.5).softmax(-1)
    return (weights @ y @ wv.T).to(x.dtype), weights.to(x.dtype)


def softmax_jacobian_autograd(weights):
    scores = torch.log(weights.clamp(min=1e-30))
    return torch.autograd.functional.jacobian(lambda s: torch.softmax(s, 0), scores)


def softmax_jacobian_loop(weights):
    size = len(weights)
    out = torch.empty(size, size, dtype=weights.dtype)
    for i in range(size):
        for j in range(size):
            out[i, j] = weights[i] * (float(i == j) - weights[j])
    return out


class MyHead_einsum(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        for name in ("q_proj", "k_proj", "v_proj"):
            self.add_module(name, nn.Linear(d_model, head_dim, bias=False))

    def forward(self, x):
        scores = torch.einsum("...id,...jd->...ij", self.q_proj(x), self.k_proj(x))
        weights = (scores * self.q_proj.out_features**-0.5).softmax(-1)
        return torch.einsum("...ij,...jd->...id", weights, self.v_proj(x)), weights


class MyHead_sdpa(nn.Module):
    def __init__(self, d_model, head_dim):
        nn.Module.__init__(self)
        self.v_proj, self.k_proj, self.q_proj = (
            nn.Linear(d_model, head_dim, bias=False) for _ in range(3)
        )

    def forward(self, x):
        query, key, value = self.q_proj(x), self.k_proj(x), self.v_proj(x)
        identity = torch.eye(x.shape[-2], dtype=x.dtype).expand(*x.shape[:-1], -1)
        return [F.scaled_dot_product_attention(query, key, v) for v in (value, identity)]
