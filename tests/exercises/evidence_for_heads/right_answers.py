"""Right answers to the exercises on evidence for heads, written in other ways."""

import statistics

import numpy as np
import torch
import torch.nn.functional as F


def near_share_band(weights, width, mask):
    band = torch.ones(weights.shape[-2:]).tril(width).triu(-width).bool()
    allowed = mask.expand_as(weights)
    shares = ((allowed & band).sum(dim=-1) / allowed.sum(dim=-1)).to(weights.dtype)
    return weights.masked_fill(~band, 0).sum(dim=(0, 2, 3)) / shares[:, 0].numel(), shares.mean(
        (0, 2)
    )


def near_share_loop(weights, width, mask):
    """The keys from i - width to i + width; equal weights as a softmax of zeros."""
    even = torch.zeros_like(weights).masked_fill(~mask, -torch.inf).softmax(dim=-1)
    answers = []
    for part in (weights, even):
        rows = [
            part[:, :, i, max(i - width, 0) : i + width + 1].sum(dim=-1).mean(dim=0)
            for i in range(part.shape[2])
        ]
        answers.append(torch.stack(rows).mean(dim=0))
    return answers


def subject_head_loop(weights, query_positions, subject_positions):
    best = (0, 0, -1.0)
    for layer, head in np.ndindex(weights.shape[0], weights.shape[2]):
        pairs = zip(query_positions.tolist(), subject_positions.tolist(), strict=True)
        found = [weights[layer, b, head, i, j].item() for b, (i, j) in enumerate(pairs)]
        best = max(best, (layer, head, statistics.mean(found)), key=lambda answer: answer[2])
    return best


def subject_head_hot(weights, query_positions, subject_positions):
    length = weights.shape[-1]
    query, subject = (F.one_hot(p, length).float() for p in (query_positions, subject_positions))
    scores = torch.einsum("lbhij,bi,bj->lh", weights, query, subject) / len(query)
    layer, head = torch.unravel_index(scores.argmax(), scores.shape)
    return torch.stack([layer, head, scores.max()])


def rungs_of_each_seed(claims, margin):
    """The lowest rung that any seed stops at."""

    def climb(row):
        if not row["score"] - row["baseline"] > margin:
            return 1
        if not row["cost"] - row["control"] > margin:
            return 2
        return 4 if -margin < row["found"] - row["predicted"] < margin else 3

    return [min(map(climb, seeds)) for seeds in claims]


def rungs_numpy(claims, margin):
    answers = []
    for seeds in claims:
        columns = {key: np.array([row[key] for row in seeds]) for key in seeds[0]}
        held = np.stack(
            [
                columns["score"] - columns["baseline"] > margin,
                columns["cost"] - columns["control"] > margin,
                abs(columns["found"] - columns["predicted"]) < margin,
            ]
        )
        answers.append(1 + held.all(axis=1).cumprod().sum())
    return np.array(answers)


def patched_effect_where(heads, twin_heads, chosen, lead):
    mine = torch.isin(torch.arange(heads.shape[2]), torch.tensor(chosen))[:, None]
    runs = heads, twin_heads
    mixed = torch.where(mine, twin_heads, heads), torch.where(mine, heads, twin_heads)
    (before, source), (there, back) = map(lead, runs), map(lead, mixed)
    return np.divide([there - before, source - back], source - before)


def patched_effect_loop(heads, twin_heads, chosen, lead):
    answers = []
    for kept, taken in ((heads, twin_heads), (twin_heads, heads)):
        parts = list(kept.unbind(dim=2))
        for head in chosen:
            parts[head] = taken[:, :, head]
        start = lead(kept)
        answers.append((lead(torch.stack(parts, dim=2)) - start) / (lead(taken) - start))
    return answers
