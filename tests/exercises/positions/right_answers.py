"""Right answers to the exercises on positions, written in other ways."""

import math

import numpy as np
import torch
import torch.nn.functional as F


def sinusoidal_positions_loop(length, d_model):
    table = torch.zeros(length, d_model)
    for p, feature in np.ndindex(length, d_model):
        angle = p / 10000 ** (feature // 2 * 2 / d_model)
        table[p, feature] = math.cos(angle) if feature % 2 else math.sin(angle)
    return table


def sinusoidal_positions_filled(length, d_model):
    """As in much code: exp of a logarithm, and two slices that are filled."""
    speeds = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    table = torch.zeros(length, d_model)
    table[:, 0::2] = torch.sin(torch.arange(0, length).float().unsqueeze(1) * speeds)
    table[:, 1::2] = torch.cos(torch.arange(0, length).float().unsqueeze(1) * speeds)
    return table


def sinusoidal_positions_shifted(length, d_model):
    """A cosine is a sine a quarter of a turn ahead."""
    feature = torch.arange(d_model, dtype=torch.float64)
    speeds = 10000 ** (-(feature - feature % 2) / d_model)
    return torch.sin(torch.outer(torch.arange(length), speeds) + feature % 2 * math.pi / 2).float()


def add_learned_embedding(x, table, offset):
    places = torch.arange(offset, offset + x.size(1))
    return x + F.embedding(places, table).unsqueeze(0).expand_as(x)


def add_learned_loop(x, table, offset):
    return torch.stack([x[:, t] + table[offset + t] for t in range(x.shape[-2])], dim=1)


def add_learned_rolled(x, table, offset):
    return table.roll(-offset, 0)[: x.size(-2)] + x


def rotary_complex(x, first_place):
    length, head_dim = x.shape[-2:]
    speeds = 10000.0 ** (-torch.arange(head_dim // 2, dtype=torch.float64) * 2 / head_dim)
    angle = torch.outer(torch.arange(length) + first_place, speeds)
    pairs = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(pairs * torch.exp(1j * angle)).flatten(-2).to(x.dtype)


def rotary_rotated_half(x, first_place):
    """x cos + (x turned by a quarter) sin, with each angle twice."""
    place = torch.arange(first_place, first_place + x.size(-2), dtype=x.dtype)
    speeds = torch.exp(torch.arange(0, x.size(-1), 2) * -(math.log(10000) / x.size(-1)))
    angle = torch.einsum("t,f->tf", place, speeds.to(x.dtype)).repeat_interleave(2, dim=-1)
    quarter = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)
    return x * angle.cos() + quarter * angle.sin()


def rotary_matrices(x, first_place):
    rows = []
    for t in range(x.shape[-2]):
        matrix = torch.zeros(x.shape[-1], x.shape[-1], dtype=x.dtype)
        for i in range(0, x.shape[-1], 2):
            angle = (first_place + t) / 10000 ** (i / x.shape[-1])
            cos, sin = math.cos(angle), math.sin(angle)
            matrix[i : i + 2, i : i + 2] = torch.tensor([[cos, -sin], [sin, cos]])
        rows.append(x[..., t, :] @ matrix.T)
    return torch.stack(rows, dim=-2)


def places_by_time_loops(add_positions, x):
    repeated = torch.ones(1, x.shape[1], x.shape[2])
    placed = add_positions(repeated)[0].numpy()
    for i in range(len(placed)):
        for j in range(i):
            if np.allclose(placed[i], placed[j], rtol=0, atol=1e-5):
                return False
    for b in reversed(range(len(x))):
        alone = add_positions(x[b].unsqueeze(0)).squeeze(0)
        if (alone - add_positions(x)[b]).abs().max() > 1e-4:
            return False
    return True


def places_by_time_cdist(add_positions, x):
    """Every sentence is asked about its places, in the whole batch."""
    alike = x[:, :1].repeat(1, x.size(1), 1)
    placed = add_positions(alike)
    apart = torch.cdist(placed, placed, compute_mode="donot_use_mm_for_euclid_dist")
    apart = apart + torch.eye(x.size(1))
    pairs = zip(x.split(1), add_positions(x).split(1), strict=True)
    same = [torch.allclose(add_positions(one), two, rtol=0, atol=1e-5) for one, two in pairs]
    return (apart > 1e-4).all() & all(same)


def depends_on_distance_only_diagonals(turn_query, turn_key, length, head_dim):
    query, key = torch.rand(2, head_dim).unbind()
    scores = turn_query(query.repeat(length, 1)) @ turn_key(key.repeat(length, 1)).mT
    lines = (scores.diagonal(distance) for distance in range(1 - length, length))
    return all((line.max() - line.min()).item() < 2e-3 for line in lines)


def depends_on_distance_only_loop(turn_query, turn_key, length, head_dim):
    q, k = np.random.randn(2, head_dim).astype(np.float32)
    query = turn_query(torch.tensor(q).expand(length, -1))
    key = turn_key(torch.tensor(k).expand(length, -1))
    found = {}
    for i in range(length):
        for j in range(length):
            score = float(query[i] @ key[j])
            if abs(found.setdefault(i - j, score) - score) > 1e-3:
                return np.False_
    return np.True_


def alibi_scores_einsum(scores, slopes):
    queries, keys = scores.shape[2:]
    back = torch.arange(keys).unsqueeze(0) - torch.arange(queries).unsqueeze(1) - (keys - queries)
    return scores - torch.einsum("h,qk->hqk", slopes, back.abs().to(slopes.dtype))


def alibi_scores_loop(scores, slopes):
    out = scores.clone()
    for b, h, i, j in np.ndindex(*scores.shape):
        out[b, h, i, j] -= slopes[h] * abs(scores.shape[3] - scores.shape[2] + i - j)
    return out
