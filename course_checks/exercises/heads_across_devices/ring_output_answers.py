"""Answers to ring_output (lesson 15, exercise 5), right and wrong, as students write them."""

import math

import torch


# wrong: neither is brought to the new maximum
# named: added
def both_left(query, keys, values, rank, is_causal):
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
        new = torch.maximum(maximum, scores.amax(1, keepdim=True))
        c, e = torch.exp(maximum - new), torch.exp(scores - new)
        total = total + e.sum(1, keepdim=True)
        weighted = weighted + e @ values[source]
        maximum = new
    return weighted / total


# wrong: the maximum of the first chunk serves for all
# named: first_maximum
def first_maximum_kept(query, keys, values, rank, is_causal):
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
        new = scores.amax(1, keepdim=True) if turn == 0 else maximum
        c, e = torch.exp(maximum - new), torch.exp(scores - new)
        total = c * total + e.sum(1, keepdim=True)
        weighted = c * weighted + e @ values[source]
        maximum = new
    return weighted / total


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


# wrong: chunks of the future are not skipped
# named: future_seen
def future_not_skipped(query, keys, values, rank, is_causal):
    n, size = len(keys), len(query)
    maximum = torch.full((size, 1), -math.inf)
    total, weighted = torch.zeros(size, 1), torch.zeros(size, values.shape[-1])
    for turn in range(n):
        source = (rank - turn) % n
        scores = query @ keys[source].T / math.sqrt(query.shape[-1])
        if is_causal and source == rank:
            scores = scores.masked_fill(~torch.ones(size, size).tril().bool(), -math.inf)
        new = torch.maximum(maximum, scores.amax(1, keepdim=True))
        c, e = torch.exp(maximum - new), torch.exp(scores - new)
        total = c * total + e.sum(1, keepdim=True)
        weighted = c * weighted + e @ values[source]
        maximum = new
    return weighted / total


# wrong: the mask on every chunk
# named: masked_everywhere
def mask_on_all_chunks(query, keys, values, rank, is_causal):
    n, size = len(keys), len(query)
    maximum = torch.full((size, 1), -math.inf)
    total, weighted = torch.zeros(size, 1), torch.zeros(size, values.shape[-1])
    for turn in range(n):
        source = (rank - turn) % n
        if is_causal and source > rank:
            continue
        scores = query @ keys[source].T / math.sqrt(query.shape[-1])
        if is_causal:
            scores = scores.masked_fill(~torch.ones(size, size).tril().bool(), -math.inf)
        new = torch.maximum(maximum, scores.amax(1, keepdim=True))
        c, e = torch.exp(maximum - new), torch.exp(scores - new)
        total = c * total + e.sum(1, keepdim=True)
        weighted = c * weighted + e @ values[source]
        maximum = new
    return weighted / total


# wrong: the mask hides what may be seen
# named: mask_turned_round
def mask_upside_down(query, keys, values, rank, is_causal):
    n, size = len(keys), len(query)
    maximum = torch.full((size, 1), -math.inf)
    total, weighted = torch.zeros(size, 1), torch.zeros(size, values.shape[-1])
    for turn in range(n):
        source = (rank - turn) % n
        if is_causal and source > rank:
            continue
        scores = query @ keys[source].T / math.sqrt(query.shape[-1])
        if is_causal and source == rank:
            scores = scores.masked_fill(torch.ones(size, size).tril().bool(), -math.inf)
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


# wrong: is_causal is ignored
# named: never_causal
def never_causal(query, keys, values, rank, is_causal):
    n, size = len(keys), len(query)
    maximum = torch.full((size, 1), -math.inf)
    total, weighted = torch.zeros(size, 1), torch.zeros(size, values.shape[-1])
    for turn in range(n):
        source = (rank - turn) % n
        scores = query @ keys[source].T / math.sqrt(query.shape[-1])
        new = torch.maximum(maximum, scores.amax(1, keepdim=True))
        c, e = torch.exp(maximum - new), torch.exp(scores - new)
        total = c * total + e.sum(1, keepdim=True)
        weighted = c * weighted + e @ values[source]
        maximum = new
    return weighted / total


# wrong: no maximum is subtracted
# named: no_maximum
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


# wrong: no square root of head_dim
# named: not_scaled
def no_scale(query, keys, values, rank, is_causal):
    n, size = len(keys), len(query)
    maximum = torch.full((size, 1), -math.inf)
    total, weighted = torch.zeros(size, 1), torch.zeros(size, values.shape[-1])
    for turn in range(n):
        source = (rank - turn) % n
        if is_causal and source > rank:
            continue
        scores = query @ keys[source].T
        if is_causal and source == rank:
            scores = scores.masked_fill(~torch.ones(size, size).tril().bool(), -math.inf)
        new = torch.maximum(maximum, scores.amax(1, keepdim=True))
        c, e = torch.exp(maximum - new), torch.exp(scores - new)
        total = c * total + e.sum(1, keepdim=True)
        weighted = c * weighted + e @ values[source]
        maximum = new
    return weighted / total


# wrong: no mask for the own chunk
# named: own_keys_seen_whole
def own_chunk_not_masked(query, keys, values, rank, is_causal):
    n, size = len(keys), len(query)
    maximum = torch.full((size, 1), -math.inf)
    total, weighted = torch.zeros(size, 1), torch.zeros(size, values.shape[-1])
    for turn in range(n):
        source = (rank - turn) % n
        if is_causal and source > rank:
            continue
        scores = query @ keys[source].T / math.sqrt(query.shape[-1])
        new = torch.maximum(maximum, scores.amax(1, keepdim=True))
        c, e = torch.exp(maximum - new), torch.exp(scores - new)
        total = c * total + e.sum(1, keepdim=True)
        weighted = c * weighted + e @ values[source]
        maximum = new
    return weighted / total


# right
def right_logsumexp(query, keys, values, rank, is_causal):
    n, size, d = keys.shape
    outs, lses = [], []
    for i in range(rank + 1 if is_causal else n):
        s = query @ keys[i].T / d**0.5
        if is_causal and i == rank:
            s = s + torch.full((size, size), -math.inf).triu(1)
        outs.append(s.softmax(-1) @ values[i])
        lses.append(s.logsumexp(-1))
    w = torch.stack(lses).softmax(0)
    return (w[..., None] * torch.stack(outs)).sum(0)


# wrong: all keys at once, one softmax
# named: several_at_once
def one_softmax(query, keys, values, rank, is_causal):
    n, size, d = keys.shape
    last = rank + 1 if is_causal else n
    k, v = keys[:last].flatten(0, 1), values[:last].flatten(0, 1)
    s = query @ k.T / d**0.5
    if is_causal:
        later = torch.arange(last * size) > rank * size + torch.arange(size)[:, None]
        s = s.masked_fill(later, -math.inf)
    return s.softmax(-1) @ v


# right
def right_other_direction(query, keys, values, rank, is_causal):
    n, size = len(keys), len(query)
    maximum = torch.full((size, 1), -math.inf)
    total, weighted = torch.zeros(size, 1), torch.zeros(size, values.shape[-1])
    for turn in range(n):
        source = (rank + turn) % n
        if is_causal and source > rank:
            continue
        scores = query @ keys[source].T / math.sqrt(query.shape[-1])
        if is_causal and source == rank:
            scores = scores.masked_fill(~torch.ones(size, size).tril().bool(), -math.inf)
        new = torch.maximum(maximum, scores.amax(1, keepdim=True))
        c, e = torch.exp(maximum - new), torch.exp(scores - new)
        total = c * total + e.sum(1, keepdim=True)
        weighted = c * weighted + e @ values[source]
        maximum = new
    return weighted / total


# wrong: total is not brought to the new maximum
# named: total_not_shrunk
def total_left(query, keys, values, rank, is_causal):
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
        new = torch.maximum(maximum, scores.amax(1, keepdim=True))
        c, e = torch.exp(maximum - new), torch.exp(scores - new)
        total = total + e.sum(1, keepdim=True)
        weighted = c * weighted + e @ values[source]
        maximum = new
    return weighted / total


# wrong: weighted is not brought to the new maximum
# named: weighted_not_shrunk
def weighted_left(query, keys, values, rank, is_causal):
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
        new = torch.maximum(maximum, scores.amax(1, keepdim=True))
        c, e = torch.exp(maximum - new), torch.exp(scores - new)
        total = c * total + e.sum(1, keepdim=True)
        weighted = weighted + e @ values[source]
        maximum = new
    return weighted / total


# wrong: the scores of all rounds are kept for one softmax
# named: several_at_once
def scores_of_all_rounds(query, keys, values, rank, is_causal):
    scores, seen = [], []
    for turn in range(len(keys)):
        source = (rank - turn) % len(keys)
        if is_causal and source > rank:
            continue
        s = query @ keys[source].T / math.sqrt(query.shape[1])
        if is_causal and source == rank:
            s = s.masked_fill(torch.ones_like(s).triu(1).bool(), -math.inf)
        scores.append(s)
        seen.append(values[source])
    return torch.cat(scores, 1).softmax(1) @ torch.cat(seen)


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
