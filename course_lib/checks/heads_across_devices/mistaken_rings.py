"""Wrong ways round the ring of lesson 15, exercise 5, written otherwise than its solution.

Each has the arguments of ``ring_output``, or is made by a function that says how it goes wrong.
"""

import math

import torch

ORDERS = (  # in which a function may take the chunks of n devices
    lambda rank, turn, n: (rank - turn) % n,
    lambda rank, turn, n: (rank + turn) % n,
    lambda rank, turn, n: turn,
    lambda rank, turn, n: n - 1 - turn,
)


def own_keys(scores):
    """The causal mask of a device's own keys, which is right: (size, size), True = may attend."""
    return torch.ones_like(scores, dtype=torch.bool).tril()


def turned_round(scores):
    """The same mask, True where a token may not attend."""
    return ~own_keys(scores)


def running(order, keeps_total=False, keeps_weighted=False, keeps_maximum=False, allowed=None):
    """What has been kept is brought to each new maximum, or stays as it was; one chunk a turn."""

    def version(query, keys, values, rank, is_causal):
        maximum, total, weighted = torch.full_like(query[:, :1], -math.inf), 0.0, 0.0
        for turn in range(len(keys)):
            source = order(rank, turn, len(keys))
            if is_causal and source > rank:
                continue
            scores = query @ keys[source].T / math.sqrt(query.shape[1])
            if is_causal and source == rank:
                scores = scores.masked_fill(~(allowed or own_keys)(scores), -math.inf)
            new = torch.maximum(maximum, scores.amax(dim=1, keepdim=True))
            if keeps_maximum:
                new = torch.where(maximum.isfinite(), maximum, new)
            shrink, numerators = torch.exp(maximum - new), torch.exp(scores - new)
            total = total * (1.0 if keeps_total else shrink) + numerators.sum(1, keepdim=True)
            weighted = weighted * (1.0 if keeps_weighted else shrink) + numerators @ values[source]
            maximum = new
        return weighted / total

    return version


def outputs_put_together(combine):
    """A softmax for each device's keys, and the outputs put together."""

    def version(query, keys, values, rank, is_causal):
        outputs = []
        for source in range(rank + 1 if is_causal else len(keys)):
            scores = query @ keys[source].T / math.sqrt(query.shape[1])
            if is_causal and source == rank:
                scores = scores.masked_fill(~own_keys(scores), -math.inf)
            outputs.append(scores.softmax(dim=1) @ values[source])
        return combine(outputs)

    return version


def all_masked(query, keys, values, rank, is_causal):
    """The future is computed and hidden, where it should not be touched."""
    n, size = len(keys), len(query)
    scores = query @ keys.flatten(0, 1).T / math.sqrt(query.shape[1])
    if is_causal:
        allowed = torch.ones(size, n * size, device=query.device).tril(rank * size).bool()
        scores = scores.masked_fill(~allowed, -math.inf)
    return scores.softmax(dim=1) @ values.flatten(0, 1)


def joined(is_turned_round=False):
    """One softmax over all keys up to the device's own; its mask may hide what it should show."""

    def version(query, keys, values, rank, is_causal):
        last = rank + 1 if is_causal else len(keys)
        key, value = (chunks[:last].flatten(0, 1) for chunks in (keys, values))
        scores = query @ key.T / math.sqrt(query.shape[1])
        if is_causal:
            seen = torch.ones_like(scores, dtype=torch.bool).tril(rank * len(query))
            scores = scores.masked_fill(seen if is_turned_round else ~seen, -math.inf)
        return scores.softmax(dim=1) @ value

    return version
