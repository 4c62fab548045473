"""Answers to probe_layer (lesson 04, exercise 3), right and wrong, as students write them."""

import functools

import numpy as np
import torch

import course_checks as checks


def probes_with(equivariant=None, independent=None, connected=None):
    """Right probes but for those that are given."""

    def probes(layer, x):
        right = checks.probe_layer.exercise.reference(layer, x)
        given = equivariant, independent, connected
        return [probe(layer, x) if probe else old for probe, old in zip(given, right, strict=True)]

    return probes


# right
def jacobian(layer, x):
    slopes = torch.autograd.functional.jacobian(layer, x, vectorize=True)  # (B, T, d, B, T, d)
    hears = slopes.abs().amax(dim=(2, 5)) > 1e-6  # (B, T, B, T): output, input
    own = torch.eye(len(x), dtype=torch.bool)
    others = ~torch.eye(x.shape[1], dtype=torch.bool)
    inside = hears[own[:, None, :, None].expand_as(hears)].view(len(x), x.shape[1], x.shape[1])
    orders = [torch.randperm(x.shape[1]) for _ in range(5)]
    follows = all(torch.allclose(layer(x[:, o]), layer(x)[:, o], atol=1e-5) for o in orders)
    alone = torch.allclose(layer(x[:1]), layer(x)[:1], atol=1e-5)  # it may go by their number
    alone = alone and not hears[~own[:, None, :, None].expand_as(hears)].any()
    return follows, alone, inside[:, others].any()


# right
def numpy(layer, x):
    def same(a, b):
        return np.allclose(a.numpy(), b.numpy(), atol=1e-5)

    order, out = torch.randperm(x.shape[1]), layer(x)
    independent = all(same(layer(part), out[b : b + 1]) for b, part in enumerate(x.split(1)))
    connected = False
    for b, t in np.ndindex(*x.shape[:2]):
        kept = x.clone()  # of sentence b, all but token t are changed
        kept[b] = torch.randn_like(x[b])
        kept[b, t] = x[b, t]
        connected = connected or not same(layer(kept)[b, t], out[b, t])
    return [same(layer(x[:, order])[:, order.argsort()], out), independent, connected]


# wrong: probes the connection by adding 1 to all features, which a LayerNorm takes out
def adds_one_2(layer, x):
    p = torch.randperm(x.shape[1])
    eq = torch.allclose(layer(x[:, p]), layer(x)[:, p], atol=1e-5)
    ind = all(torch.allclose(layer(x[b : b + 1])[0], layer(x)[b], atol=1e-5) for b in range(len(x)))
    con = False
    for t in range(x.shape[1]):
        z = x.clone()
        z[0, t] += 1
        others = torch.arange(x.shape[1]) != t
        con = con or not torch.allclose(layer(z)[0, others], layer(x)[0, others], atol=1e-5)
    return eq, ind, con


# wrong: connected changes token t of every sentence at once
# named: across_sentences
# points: 4
def changes_all_sentences(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for t in range(x.shape[1]):
        z = x.clone()
        z[:, t] = torch.randn(x.shape[0], x.shape[2])
        others = torch.arange(x.shape[1]) != t
        if not torch.allclose(layer(z)[:, others], y[:, others], atol=1e-5):
            connected = True
    return equivariant, independent, connected


# wrong: the probe for connected writes into x itself (no clone), so the caller's x is changed, and tries sentence 0 only
# named: one_sentence | changes_input
# points: 3
def inplace(layer, x):
    y = layer(x)
    perms = [torch.randperm(x.shape[1]) for _ in range(8)]
    eq = all(torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5) for p in perms)
    ind = all(torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(x.shape[0]))
    con = False
    for t in range(x.shape[1]):
        before = layer(x)
        x[0, t] = torch.randn(x.shape[-1])
        keep = torch.arange(x.shape[1]) != t
        con = con or not torch.allclose(layer(x)[0, keep], before[0, keep], atol=1e-5)
    return eq, ind, con


# wrong: independent tries the last sentence only
# named: last_sentence_only
# points: 4
def last_sentence_alone(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = torch.allclose(layer(x[-1:]), y[-1:], atol=1e-5)
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected


# wrong: equivariant tries the reversed order alone
# named: special_order
# points: 3
def reversal_only(layer, x):
    y = layer(x)
    equivariant = torch.allclose(layer(x.flip(1)), y.flip(1), atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected


# wrong: connected looks at the other sentences, too
# named: whole_batch
# points: 4
def all_other_tokens(layer, x):
    y = layer(x)
    p = torch.randperm(x.shape[1])
    eq = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    ind = all(torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x)))
    con = False
    for b in range(len(x)):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[-1])
            moved = (layer(z) - y).abs() > 1e-5
            moved[b, t] = False
            con = con or bool(moved.any())
    return eq, ind, con


# wrong: compares with a tolerance of 1e-8
# points: 3
# says: rounding error
def shuffled_up_to_1e_8(layer, x):
    order = torch.randperm(x.shape[1])
    return torch.allclose(layer(x[:, order]), layer(x)[:, order])


follows_up_to_1e_8 = probes_with(shuffled_up_to_1e_8)


# wrong: hands the layer a sentence without its batch dimension
# says: x[b] loses one
def without_its_batch_dimension(layer, x):
    return torch.allclose(torch.stack([layer(sentence) for sentence in x]), layer(x), atol=1e-5)


one_sentence_without_batch = probes_with(None, without_its_batch_dimension)


# wrong: says that sentences are always independent
# points: 4
# says: independent: True for
always_independent = probes_with(None, lambda f, x: True)


# wrong: compares a sentence alone to the last digit
# named: exact_alone
# points: 4
def exactly_alone(layer, x):
    return torch.equal(torch.cat([layer(sentence) for sentence in x.split(1)]), layer(x))


alone_to_the_last_digit = probes_with(None, exactly_alone)


# wrong: shuffles the output once more by the same order
# named: invariant
def order_applied_twice(layer, x):
    p = torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p])[:, p], layer(x), atol=1e-5)
    together = layer(x)
    alone = [layer(x[b : b + 1])[0] for b in range(len(x))]
    independent = all(torch.allclose(a, t, atol=1e-5) for a, t in zip(alone, together))
    connected = False
    for b in range(len(x)):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            moved = (layer(z)[b] - together[b]).abs().amax(dim=-1) > 1e-5
            moved[t] = False
            connected = connected or bool(moved.any())
    return equivariant, independent, connected


# other inputs
def layers_of_batches():
    """(batch, seq_len, d_model) to the same, for the student's probes; others than the check's."""
    yield from (torch.sin, lambda x: x.flip(1), lambda x: x - x.mean(dim=2, keepdim=True))
    yield from (lambda x: x * x.amax(dim=1, keepdim=True), lambda x: x.cummax(dim=1).values)
    yield from (lambda x: x - x.amin(dim=(0, 1)), lambda x: x + x.flip(0), lambda x: x * x[:1])
    yield lambda x: x + x.roll(1, 1) / 2
    yield lambda x: torch.cat([x[:, :-1], x[:, -1:] - x[:, 2:3]], dim=1)
    yield lambda x: torch.cat([x[:-1], x[-1:] - x[:1]])


def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    yield from ((layer, randn(3, 9, 5)) for layer in layers_of_batches())
