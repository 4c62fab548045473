"""Three questions to a layer, asked rightly and in the ways that go wrong."""

from itertools import product

import torch
from torch import allclose, randn_like


def equivariant(layer, x):
    order = torch.randperm(x.shape[1])
    return same(layer(x[:, order]), layer(x)[:, order])


def independent(layer, x):
    return all(same(layer(x[b : b + 1]), layer(x)[b : b + 1]) for b in range(len(x)))


def connected(layer, x):
    return any(moves_another(layer, x, t) for t in range(x.shape[1]))


def moves_another(layer, x, t):
    """Whether token t of some sentence can change the output of another token of it."""
    y, others = layer(x), torch.arange(x.shape[1]) != t
    for b in range(len(x)):
        changed = x.clone()
        changed[b, t] = randn_like(x[b, t])
        if not same(layer(changed)[b, others], y[b, others]):
            return True
    return False


def same(a, b):
    return allclose(a, b, atol=1e-5)


def exactly_alone(layer, x):
    return all(torch.equal(layer(x[b : b + 1]), layer(x)[b : b + 1]) for b in range(len(x)))


def whole_batch(layer, x, sentences=1):
    y = layer(x)
    for b, t in product(range(sentences), range(x.shape[1])):
        changed, others = x.clone(), torch.ones(x.shape[:2], dtype=torch.bool)
        changed[b, t] = randn_like(x[b, t])
        others[b, t] = False
        if not same(layer(changed)[others], y[others]):
            return True
    return False


def across_sentences(layer, x, tokens=None):
    y = layer(x)
    for t in tokens or range(x.shape[1]):
        changed, others = x.clone(), torch.arange(x.shape[1]) != t
        changed[:, t] = randn_like(x[:, t])
        if not same(layer(changed)[:, others], y[:, others]):
            return True
    return False


def own_output(layer, x):
    changed = x.clone()
    changed[:, 0] = randn_like(x[:, 0])
    return not same(layer(changed), layer(x))


def exactly(layer, x):
    order = torch.randperm(x.shape[1])
    return torch.equal(layer(x[:, order]), layer(x)[:, order])


def _sentences(order_of):
    """What of whole sentences in another order: ``order_of(number of sentences)``."""

    def probe(layer, x):
        order = order_of(len(x))
        return same(layer(x[order]), layer(x)[order])

    return probe


SHIFTED = _sentences(lambda batch: torch.arange(batch).roll(1))
BACKWARDS = _sentences(lambda batch: torch.arange(batch).flip(0))
DRAWN = _sentences(torch.randperm)


def connected_with(change, sentences=lambda batch: range(batch), verdict=any):
    """Each token of these sentences becomes ``change(token)``; the verdict on what moved."""

    def connected(layer, x):
        y, moved = layer(x), []
        for b in sentences(len(x)):
            for t in range(x.shape[1]):
                changed, others = x.clone(), torch.arange(x.shape[1]) != t
                changed[b, t] = change(x[b, t])
                moved.append(not same(layer(changed)[b, others], y[b, others]))
        return verdict(moved)

    return connected


def one_feature(token):
    token = token.clone()
    token[0] += 1
    return token


def all_with(same):
    """All three probes with another way to compare."""

    def probes(layer, x):
        y, order, connected = layer(x), torch.randperm(x.shape[1]), False
        for b in range(len(x)):
            for t in range(x.shape[1]):
                changed, others = x.clone(), torch.arange(x.shape[1]) != t
                changed[b, t] = randn_like(x[b, t])
                connected = connected or not same(layer(changed)[b, others], y[b, others])
        alone = all(same(layer(x[b : b + 1])[0], y[b]) for b in range(len(x)))
        return bool(same(layer(x[:, order]), y[:, order])), bool(alone), bool(connected)

    return probes


def within(atol):
    return all_with(lambda a, b: allclose(a, b, atol=atol))
