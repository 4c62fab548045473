"""Answers to next_token_probs (lesson 16, exercise 5), right and wrong, as students write them."""

import functools

import torch


# right
def scattered(logits, temperature, top_k):
    """Zeros for all, and the probabilities of the kept ones put where they belong."""
    count = logits.shape[-1] if top_k is None else top_k
    largest, places = torch.topk(logits, count)
    probs = torch.softmax(largest / temperature, dim=-1)
    return torch.zeros_like(logits).scatter(-1, places, probs)


# right
def divided_again(logits, temperature, top_k):
    """All probabilities first; what is left is divided by its sum."""
    probs = torch.exp(logits / temperature - torch.logsumexp(logits / temperature, -1, True))
    if top_k:
        ranks = probs.argsort(dim=-1, descending=True).argsort(dim=-1)
        probs = torch.where(ranks < top_k, probs, torch.tensor(0.0))
    return probs / probs.sum(-1, keepdim=True)


# wrong: the first k of the vocabulary
# named: first_tokens
def first_ones(logits, temperature, top_k):
    x = (logits / temperature).clone()
    if top_k is not None:
        x[..., top_k:] = -torch.inf
    return torch.softmax(x, dim=-1)


# wrong: changes the logits of the caller
# named: changes_input
# points: 5
def in_place(logits, temperature, top_k):
    logits /= temperature
    if top_k is not None:
        logits[logits < logits.topk(top_k, dim=-1).values[..., -1:]] = -torch.inf
    return logits.softmax(dim=-1)


# wrong: returns k numbers for each row
# named: only_the_kept
def k_numbers(logits, temperature, top_k):
    x = logits / temperature
    if top_k is None:
        return torch.softmax(x, dim=-1)
    return torch.softmax(torch.topk(x, top_k, dim=-1).values, dim=-1)


# wrong: divided by the sum over the batch
# named: divided_by_all
def sum_of_all(logits, temperature, top_k):
    p = torch.softmax(logits / temperature, dim=-1)
    if top_k is not None:
        p = p * (p >= p.topk(top_k, dim=-1).values[..., -1:])
    return p / p.sum()


# wrong: top_k is not used
# named: no_top_k
def top_k_forgotten(logits, temperature, top_k):
    return (logits / temperature).softmax(dim=-1)


# wrong: what is left does not sum to 1
# named: not_divided_again
def zeros_after_softmax(logits, temperature, top_k):
    probs = torch.softmax(logits / temperature, dim=-1)
    if top_k is None:
        return probs
    cut = probs.topk(top_k, dim=-1).values[..., -1:]
    return probs * (probs >= cut)


# wrong: a tensor of zeros with the kept logits in it
# named: zero_logits
# points: 3
def zeros_then_topk(logits, temperature, top_k):
    x = logits / temperature
    if top_k is not None:
        v, i = x.topk(top_k)
        x = torch.zeros_like(x).scatter(-1, i, v)
    return x.softmax(-1)


# wrong: takes top_k for a number always
# says: not NoneType
def top_k_without_none(logits, temperature, top_k):
    least = torch.topk(logits, top_k, dim=-1).values[..., -1:]
    return torch.softmax(logits.masked_fill(logits < least, -torch.inf) / temperature, dim=-1)


# wrong: exponentials of the logits as they are
# named: overflows
def unstable(logits, temperature, top_k):
    e = (logits / temperature).exp()
    if top_k is not None:
        e = e.masked_fill(e < e.topk(top_k, dim=-1).values[..., -1:], 0.0)
    return e / e.sum(dim=-1, keepdim=True)


# wrong: no temperature below 0.1
# named: no_low_temperature
def not_below_a_tenth(logits, temperature, top_k):
    scaled = logits / max(temperature, 0.1)
    if top_k is not None:
        kth = torch.topk(scaled, top_k).values[..., [-1]]
        scaled = torch.where(scaled < kth, float("-inf"), scaled)
    return torch.softmax(scaled, dim=-1)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape, temperature, top_k in (
        ((5,), 0.7, None),
        ((3, 5), 3.0, 2),
        ((2, 2, 8), 1.3, 5),
        ((2, 6), 0.3, 1),
    ):
        yield randn(*shape), temperature, top_k
