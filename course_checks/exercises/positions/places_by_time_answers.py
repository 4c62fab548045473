"""Answers to places_by_time (lesson 07, exercise 4), right and wrong, as students write them."""

import functools

import numpy as np
import torch


# right
def loops(add_positions, x):
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


# right
def cdist(add_positions, x):
    """Every sentence is asked about its places, in the whole batch."""
    alike = x[:, :1].repeat(1, x.size(1), 1)
    placed = add_positions(alike)
    apart = torch.cdist(placed, placed, compute_mode="donot_use_mm_for_euclid_dist")
    apart = apart + torch.eye(x.size(1))
    pairs = zip(x.split(1), add_positions(x).split(1), strict=True)
    same = [torch.allclose(add_positions(one), two, rtol=0, atol=1e-5) for one, two in pairs]
    return (apart > 1e-4).all() & all(same)


# wrong: a tolerance of 0.1, below which learned tables begin
# named: too_coarse
def coarse_2(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gap = (placed[:, None] - placed).abs().amax(-1) + torch.eye(len(placed))
    y = add_positions(x)
    alone = torch.cat([add_positions(x[b : b + 1]) for b in range(len(x))])
    return bool((gap > 0.1).all()) and torch.allclose(alone, y, atol=0.1)


# wrong: compares equal sentences inside one batch, never a sentence alone
# named: within_one_batch
def equal_sentences(add_positions, x):
    y = add_positions(x[:1, :1].expand(*x.shape))
    gaps = (y[0][:, None] - y[0]).abs().amax(dim=-1) + torch.eye(x.shape[1])
    return bool((gaps > 1e-6).all()) and torch.allclose(y, y[:1].expand(y.shape), atol=1e-5)


# wrong: only the first sentence is compared with itself alone
# named: first_sentence_only
def first_sentence_alone(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    same = torch.allclose(add_positions(x[:1])[0], add_positions(x)[0], atol=1e-5)
    return bool((gaps > 1e-6).all()) and same


# wrong: makes all tokens of the caller's x equal
# named: changes_input
def in_place(add_positions, x):
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    x[:] = x[0, 0]
    placed = add_positions(x[:1])[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    return bool((gaps > 1e-6).all()) and all(same)


# wrong: only the last sentence is compared with itself alone
# named: last_sentence_only
# points: 5
def last_sentence_alone(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    same = torch.allclose(add_positions(x[-1:])[0], add_positions(x)[-1], atol=1e-5)
    return bool((gaps > 1e-6).all()) and same


# wrong: uses a sentence of 100 tokens, though no longer ones are allowed
def longer_than_x(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, 100, -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)


# wrong: atol=0.1 in the second rule, so small vectors by batch pass
# named: too_loose
# points: 5
def loose_batch(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=0.1) for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)


# wrong: forgets the second rule (the batch)
# named: places_only
def rule1_only(add_positions, x):
    y = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (y[:, None] - y).abs().amax(-1) + torch.eye(len(y))
    return bool((gaps > 1e-6).all())


# wrong: tests the batch, not the places
# named: batch_only
def second_rule_only(add_positions, x):
    together = add_positions(x)
    return all(
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    )


# wrong: in the place of the second rule asks that x + 1 come out as 1 more, bit for bit
# named: always_false
def shifted_instead_of_alone(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    shifted = add_positions(x + 1) - 1
    return bool((gaps > 1e-6).all()) and torch.equal(shifted, add_positions(x))


# wrong: asks whether add_positions(x) - x differs from place to place, which it does for 2 * x
def what_was_added(add_positions, x):
    p = (add_positions(x) - x)[0]
    g = (p[:, None] - p).abs().amax(-1)
    g.fill_diagonal_(1)
    y = add_positions(x)
    return bool((g > 1e-5).all()) and all(
        torch.allclose(add_positions(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )


# wrong: compares the first and the last sentence with themselves alone, and no other
def first_and_last_sentence(add_positions, x):
    p = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    g = (p[:, None] - p).abs().amax(-1)
    g.fill_diagonal_(1)
    y = add_positions(x)
    return bool((g > 1e-5).all()) and all(
        torch.allclose(add_positions(x[b : b + 1])[0], y[b], atol=1e-5) for b in (0, len(x) - 1)
    )


# wrong: looks at zeros alone
# points: 2
# says: Your function says
def zeros_in_one_batch(add_positions, x):
    placed = add_positions(torch.zeros_like(x))
    return bool((placed[0, 0] != placed[0, 1]).any() and (placed[0] == placed[1]).all())


# wrong: tries batches of one size only
# named: size_kept
# points: 5
def others_replaced(add_positions, x):
    alike = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    if len(alike.unique(dim=0)) < len(alike):
        return False
    placed, length = add_positions(x), len(x)
    for b in range(length):
        others = torch.rand_like(x)
        others[b] = x[b]
        if not torch.allclose(add_positions(others)[b], placed[b], atol=1e-5):
            return False
    return torch.allclose(add_positions(x.roll(1, 0)).roll(-1, 0), placed, atol=1e-5)


# other inputs
def positions_for_batches(randn):
    """Right ones and others, for the student's test; others than the check's."""
    table = randn(40, 3)
    yield from (lambda x: x - table[: x.shape[1]], lambda x: x * table[: x.shape[1]])
    yield from (lambda x: x + table[x.shape[0]], lambda x: -x, lambda x: x + x.cumsum(dim=0))
    yield lambda x: x + table[torch.arange(x.shape[1]).clamp(max=x.shape[1] - 2)]
    yield lambda x: x + table[torch.arange(x.shape[1]) % 6]
    yield lambda x: x + table[: x.shape[1]] * len(x)
    yield lambda x: torch.cat([x[:-1] + table[: x.shape[1]], x[-1:] - table[: x.shape[1]]])


def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    yield from ((function, randn(4, 7, 3)) for function in positions_for_batches(randn))
