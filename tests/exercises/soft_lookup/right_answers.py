"""Right answers to the exercises on soft lookup, written in other ways."""

import math

import numpy as np
import torch
import torch.nn.functional as F


def attend_by_hand_numpy(query, keys, values):
    scores = np.array(keys) @ np.array(query)
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    return weights @ np.array(values), weights


def attend_by_hand_torch(q, k, v):
    weights = torch.tensor(k, dtype=torch.float64) @ torch.tensor(q, dtype=torch.float64)
    weights = weights.softmax(0)
    return (weights @ torch.tensor(v, dtype=torch.float64)), tuple(weights)


def attend_all_einsum(query, key, value):
    weights = torch.einsum("id,jd->ij", query, key).exp()
    weights = torch.einsum("ij,i->ij", weights, 1 / weights.sum(1))
    return torch.einsum("ij,jv->iv", weights, value), weights


def attend_all_sdpa(query, key, value):
    identity = torch.eye(len(key), dtype=key.dtype)
    output = F.scaled_dot_product_attention(query, key, value, scale=1.0)
    return output, F.scaled_dot_product_attention(query, key, identity, scale=1.0)


def attend_all_float64(query, key, value):
    weights = torch.matmul(query.double(), key.double().mT).softmax(1)
    return (weights @ value.double()).to(value.dtype), weights.to(value.dtype)


def attend_all_vmap(query, key, value):
    weights = torch.vmap(lambda q: torch.softmax(key @ q, 0))(query)
    return weights @ value, weights


def stable_softmax_torch(scores):
    return torch.softmax(scores, dim=-1)


def stable_softmax_loop(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    out = torch.stack([(row - row.max()).exp() / (row - row.max()).exp().sum() for row in rows])
    return out.reshape(scores.shape)


def stable_softmax_logsumexp(scores):
    shifted = scores - scores.amax(dim=-1, keepdim=True)
    return torch.exp(shifted - torch.logsumexp(shifted, dim=-1, keepdim=True))


def stable_softmax_float64(scores):
    shifted = scores.double() - scores.double().max(-1, keepdim=True).values
    return (shifted.exp() / shifted.exp().sum(-1).unsqueeze(-1)).to(scores.dtype)


def weights_at_loop(scores, temperature):
    if temperature > 0:
        return F.softmax(scores / temperature, dim=scores.dim() - 1)
    out = torch.zeros_like(scores)
    for index in np.ndindex(*scores.shape[:-1]):
        ties = scores[index] == scores[index].max()
        out[index] = ties / ties.sum()
    return out


def weights_at_masked(scores, temperature):
    top = scores.max(dim=-1, keepdim=True)[0]
    if not temperature:
        return torch.where(scores == top, 0.0, -torch.inf).to(scores).softmax(-1)
    return torch.softmax((scores - top) / temperature, -1)


def rows_sum_to_one_batched(attention):
    inputs = (torch.randn(2, n, 5, dtype=torch.float64) for n in (6, 4, 4))
    _, weights = attention(*inputs)
    is_one = weights.sum(-1).sub(1).abs().lt(1e-6)
    return is_one.all() & weights.ge(0).all()  # a tensor with one bool


def rows_sum_to_one_loop(attention):
    output, weights = attention(torch.rand(7, 3), torch.rand(7, 3) * 2, torch.rand(7, 3))
    shares = all(float(weight) >= 0 for row in weights for weight in row)
    return shares and all(math.isclose(float(row.sum()), 1, abs_tol=1e-3) for row in weights)
