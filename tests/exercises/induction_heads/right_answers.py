"""Right answers to the exercises on induction heads, written in other ways."""

import itertools
import math

import numpy as np
import torch


def entropy_share_loop(weights, mask):
    mask, shares = mask.broadcast_to(weights.shape), []
    for head in range(weights.shape[1]):
        own = []
        for b, i in np.ndindex(len(weights), weights.shape[2]):
            kept = weights[b, head, i][mask[b, head, i]]
            if len(kept) > 1:
                own.append(torch.special.entr(kept).sum().item() / math.log(len(kept)))
        shares.append(sum(own) / len(own))
    return torch.tensor(shares, dtype=weights.dtype)


def entropy_share_bits(weights, mask):
    counts = (mask + torch.zeros_like(weights)).sum(dim=-1)
    bits = -(weights * (weights + 1e-9).log2()).sum(dim=-1)
    shares = torch.where(counts > 1, bits / counts.log2(), torch.nan)
    return shares.transpose(0, 1).flatten(1).nanmean(dim=1)


def induction_loop(weights, tokens):
    scores, count = weights.new_zeros(weights.shape[1]), 0
    for b, text in enumerate(tokens.tolist()):
        for i, token in enumerate(text):
            keys = [j + 1 for j in range(i) if text[j] == token]
            scores += weights[b, :, i, keys].sum(dim=-1)
            count += bool(keys)
    return scores / count


def induction_compared(weights, tokens):
    """Key j is a target where token j - 1 equals the query's token and j - 1 comes before it."""
    before = torch.cat([torch.full_like(tokens[:, :1], -1), tokens[:, :-1]], dim=1)
    is_target = (before[:, None] == tokens[..., None]).tril()
    rows = torch.einsum("bhij,bij->bhi", weights, is_target.to(weights.dtype))
    return rows.transpose(0, 1)[:, is_target.any(-1)].mean(dim=-1)


def cost_and_control_ordered(measure, num_heads, chosen):
    """Sets as permutations, the answer as an array."""
    others = sorted(set(range(num_heads)) - set(chosen))
    left = [measure(removed) for removed in itertools.permutations(others, len(chosen))]
    return measure(()) - np.array([measure(chosen), np.mean(left)])


def cost_and_control_filtered(measure, num_heads, chosen):
    sets = itertools.combinations(range(num_heads), len(chosen))
    left = torch.tensor([measure(list(s)) for s in sets if not set(s) & set(chosen)])
    return [measure([]) - measure(list(chosen)[::-1]), (measure([]) - left).mean()]


def path_effects_added(stream, twin_stream, said, twin_said, lead):
    """Each reader gets the stream, and its own share of the change."""
    change, is_own = twin_said - said, torch.eye(3)
    moved = [lead(*(stream + own * change for own in row)) for row in is_own]
    before, source = (lead(one, one, one) for one in (stream, twin_stream))
    return np.subtract(moved, before) / (source - before)


def path_effects_way_back(stream, twin_stream, said, twin_said, lead):
    """One, less what is left of the way."""
    patched = twin_said + (stream - said)
    before, source = lead(stream, stream, stream), lead(twin_stream, twin_stream, twin_stream)
    query = lead(patched, stream, stream)
    key, value = lead(stream, patched, stream), lead(stream, stream, patched)
    return [1 - (source - one) / (source - before) for one in (query, key, value)]
