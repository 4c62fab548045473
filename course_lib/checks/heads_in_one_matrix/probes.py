"""Three questions to a layer, asked rightly and in the ways that go wrong."""

from itertools import product

import torch
from torch import allclose, randn_like


def equivariant(layer, x):
    order = torch.randperm(x.shape[1])
    return _same(layer(x[:, order]), layer(x)[:, order])


def independent(layer, x):
    return all(_same(layer(x[b : b + 1]), layer(x)[b : b + 1]) for b in range(len(x)))


def connected(layer, x):
    return any(moves_another(layer, x, t) for t in range(x.shape[1]))


def moves_another(layer, x, t):
    """Whether token t of some sentence can change the output of another token of it."""
    y, others = layer(x), torch.arange(x.shape[1]) != t
    for b in range(len(x)):
        changed = x.clone()
        changed[b, t] = randn_like(x[b, t])
        if not _same(layer(changed)[b, others], y[b, others]):
            return True
    return False


def _same(a, b):
    return allclose(a, b, atol=1e-5)


def probing_with(equivariant=equivariant, independent=independent, connected=connected):
    return lambda layer, x: tuple(bool(f(layer, x)) for f in (equivariant, independent, connected))


def sentences_shuffled(layer, x):
    order = torch.arange(len(x)).roll(1)
    return _same(layer(x[order]), layer(x)[order])


def reversed_order(layer, x):
    return _same(layer(x.flip(1)), layer(x).flip(1))


def shifted(layer, x):
    return _same(layer(x.roll(1, 1)), layer(x).roll(1, 1))


def few_tokens(layer, x):
    order = torch.randperm(len(x))
    return _same(layer(x[:, order]), layer(x)[:, order])


def invariant(layer, x):
    return _same(layer(x[:, torch.randperm(x.shape[1])]), layer(x))


def first_sentence(layer, x):
    return _same(layer(x[:1]), layer(x)[:1])


def last_sentence(layer, x):
    return _same(layer(x[-1:]), layer(x)[-1:])


def exactly_alone(layer, x):
    return all(torch.equal(layer(x[b : b + 1]), layer(x)[b : b + 1]) for b in range(len(x)))


def whole_batch(layer, x, sentences=1):
    y = layer(x)
    for b, t in product(range(sentences), range(x.shape[1])):
        changed, others = x.clone(), torch.ones(x.shape[:2], dtype=torch.bool)
        changed[b, t] = randn_like(x[b, t])
        others[b, t] = False
        if not _same(layer(changed)[others], y[others]):
            return True
    return False


def across_sentences(layer, x):
    y = layer(x)
    for t in range(x.shape[1]):
        changed, others = x.clone(), torch.arange(x.shape[1]) != t
        changed[:, t] = randn_like(x[:, t])
        if not _same(layer(changed)[:, others], y[:, others]):
            return True
    return False


def own_output(layer, x):
    changed = x.clone()
    changed[:, 0] = randn_like(x[:, 0])
    return not _same(layer(changed), layer(x))


def token_alone(layer, x):
    return not _same(torch.cat([layer(token) for token in x.split(1, dim=1)], dim=1), layer(x))


def exactly(layer, x):
    order = torch.randperm(x.shape[1])
    return torch.equal(layer(x[:, order]), layer(x)[:, order])


def _sentences_in_order(order_of):
    return lambda layer, x: _same(layer(x[order_of(len(x))]), layer(x)[order_of(len(x))])


def sentences_drawn(layer, x):
    order = torch.randperm(len(x))
    return _same(layer(x[order]), layer(x)[order])


BACKWARDS = _sentences_in_order(lambda batch: torch.arange(batch).flip(0))


def connected_with(change, sentences=lambda batch: range(batch), verdict=any):
    """Each token of these sentences becomes ``change(token)``; the verdict on what moved."""

    def connected(layer, x):
        y, moved = layer(x), []
        for b in sentences(len(x)):
            for t in range(x.shape[1]):
                changed, others = x.clone(), torch.arange(x.shape[1]) != t
                changed[b, t] = change(x[b, t])
                moved.append(not _same(layer(changed)[b, others], y[b, others]))
        return verdict(moved)

    return connected


def one_feature(token):
    token = token.clone()
    token[0] += 1
    return token


def last_alone(layer, x):
    return _same(layer(x[-1:])[0], layer(x)[-1])


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
    return lambda a, b: allclose(a, b, atol=atol)


def same_sum(a, b):
    return abs(a.sum() - b.sum()) < 1e-4


def other_order(layer, x):
    equivariant, independent, connected = probing_with()(layer, x)
    return independent, equivariant, connected
