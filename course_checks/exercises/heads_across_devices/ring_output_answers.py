"""Answers to ring_output (lesson 15, exercise 5), right and wrong, as students write them."""

import functools
import math

import torch
import torch.nn.functional as F


# right
def logsumexp(query, keys, values, rank, is_causal):
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


# right
def other_way(query, keys, values, rank, is_causal):
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


# wrong: chunks of the future are computed and hidden
# named: future_computed
def future_masked(query, keys, values, rank, is_causal):
    n, size = len(keys), len(query)
    maximum = torch.full((size, 1), -math.inf)
    total, weighted = torch.zeros(size, 1), torch.zeros(size, values.shape[-1])
    for turn in range(n):
        source = (rank - turn) % n
        scores = query @ keys[source].T / math.sqrt(query.shape[-1])
        if is_causal:
            allowed = torch.ones(size, size, dtype=torch.bool)
            allowed = allowed.tril() if source == rank else allowed & (source < rank)
            scores = scores.masked_fill(~allowed, -math.inf)
        new = torch.maximum(maximum, scores.amax(1, keepdim=True))
        c, e = torch.exp(maximum - new), torch.exp(scores - new)
        total = c * total + e.sum(1, keepdim=True)
        weighted = c * weighted + e @ values[source]
        maximum = new
    return weighted / total


# wrong: the mean of the outputs
# named: mean_of_outputs
def mean_of_outputs(query, keys, values, rank, is_causal):
    n, size, d = keys.shape
    outs = []
    for i in range(rank + 1 if is_causal else n):
        s = query @ keys[i].T / d**0.5
        if is_causal and i == rank:
            s = s.masked_fill(~torch.ones(size, size).tril().bool(), -math.inf)
        outs.append(s.softmax(-1) @ values[i])
    return sum(outs) / len(outs)


# wrong: no maximum is subtracted
# named: no_maximum
# points: 7
def no_maximum(query, keys, values, rank, is_causal):
    n, size = len(keys), len(query)
    maximum = torch.full((size, 1), -math.inf)
    total, weighted = torch.zeros(size, 1), torch.zeros(size, values.shape[-1])
    for turn in range(n):
        source = (rank - turn) % n
        if is_causal and source > rank:
            continue
        scores = query @ keys[source].T / math.sqrt(query.shape[-1])
        if is_causal and source == rank:
            scores = scores.masked_fill(~torch.ones(size, size).tril().bool(), -math.inf)
        new = torch.zeros(size, 1)
        c, e = torch.ones(size, 1), torch.exp(scores - new)
        total = c * total + e.sum(1, keepdim=True)
        weighted = c * weighted + e @ values[source]
        maximum = new
    return weighted / total


# wrong: all keys at once, one softmax
# named: several_at_once
# points: 7
def one_softmax(query, keys, values, rank, is_causal):
    n, size, d = keys.shape
    last = rank + 1 if is_causal else n
    k, v = keys[:last].flatten(0, 1), values[:last].flatten(0, 1)
    s = query @ k.T / d**0.5
    if is_causal:
        later = torch.arange(last * size) > rank * size + torch.arange(size)[:, None]
        s = s.masked_fill(later, -math.inf)
    return s.softmax(-1) @ v


# wrong: the keys go round twice: for the maximum, and for the sums
# named: two_rounds
def maximum_in_a_first_round(query, keys, values, rank, is_causal):
    def rounds():
        for turn in range(len(keys)):
            source = (rank - turn) % len(keys)
            if is_causal and source > rank:
                continue
            s = query @ keys[source].T / math.sqrt(query.shape[1])
            if is_causal and source == rank:
                s = s.masked_fill(torch.ones_like(s).triu(1).bool(), -math.inf)
            yield s, values[source]

    m = torch.stack([s.amax(1) for s, _ in rounds()]).amax(0)[:, None]
    t = w = 0
    for s, v in rounds():
        e = (s - m).exp()
        t, w = t + e.sum(1, keepdim=True), w + e @ v
    return w / t


# wrong: calls torch's attention
# named: forbidden
def ring_by_torch(query, keys, values, rank, is_causal):
    return F.scaled_dot_product_attention(query, keys.flatten(0, 1), values.flatten(0, 1))


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for n, size, head_dim, value_dim in (
        (2, 4, 3, 2),
        (3, 1, 2, 3),
        (4, 3, 2, 1),
        (1, 3, 2, 2),
    ):
        for is_causal in (False, True):
            keys, values = randn(n, size, head_dim), randn(n, size, value_dim)
            yield randn(size, head_dim), keys, values, n // 2, is_causal
