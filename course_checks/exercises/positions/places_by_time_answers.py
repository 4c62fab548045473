"""Answers to places_by_time (lesson 07, exercise 4), right and wrong, as students write them."""

import itertools

import numpy as np
import torch
import torch.nn.functional as F


# wrong: places must differ in every feature
# named: every_feature
def all_features_must_differ(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    differs = (placed[:, None] != placed).all(dim=-1)
    differs.fill_diagonal_(True)
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool(differs.all()) and all(same)


# wrong: takes two places for alike when a single feature is equal
# named: every_feature
def any_feature(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gap = (placed[:, None] - placed).abs().amin(-1) + torch.eye(len(placed))
    y = add_positions(x)
    return bool((gap > 1e-5).all()) and all(
        torch.allclose(add_positions(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )


# right
def cdist(add_positions, x):
    token = torch.randn(x.shape[-1], generator=torch.Generator().manual_seed(1))
    placed = add_positions(token.repeat(1, x.shape[1], 1)).squeeze(0)
    gaps = torch.pdist(placed.double())
    alone = torch.stack([add_positions(part)[0] for part in x.split(1)])
    return bool(gaps.min() > 1e-6) and bool(((alone - add_positions(x)).abs() <= 1e-5).all())


# wrong: the tolerance of 0.1 overlooks small vectors in both rules
# not named yet: too_coarse
def coarse(add_positions, x):
    y = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (y[:, None] - y).norm(dim=-1) + torch.eye(len(y))
    whole = add_positions(x)
    same = all(
        torch.allclose(add_positions(x[b : b + 1])[0], whole[b], atol=0.1) for b in range(len(x))
    )
    return bool((gaps > 0.1).all()) and same


# wrong: a tolerance of 0.1, below which learned tables begin
# named: too_coarse
def coarse_2(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gap = (placed[:, None] - placed).abs().amax(-1) + torch.eye(len(placed))
    y = add_positions(x)
    alone = torch.cat([add_positions(x[b : b + 1]) for b in range(len(x))])
    return bool((gap > 0.1).all()) and torch.allclose(alone, y, atol=0.1)


# wrong: compares each place with place 0 only
# named: with_the_first
def compared_with_place_zero(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    for p in range(1, len(placed)):
        if torch.allclose(placed[p], placed[0], atol=1e-6):
            return False
    together = add_positions(x)
    return all(
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    )


# wrong: compares directions, so places that only scale look alike
# named: directions
def cosine(add_positions, x):
    placed = F.normalize(add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0], dim=-1)
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)


# wrong: compares each place with itself as well, so that it always answers False
# named: always_false
def diagonal_counted(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gap = (placed[:, None] - placed).abs().amax(-1)
    if (gap < 1e-5).any():
        return False
    y = add_positions(x)
    return all(
        torch.allclose(add_positions(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )


# wrong: each place is compared with itself too, so it never says True
# named: always_false
def diagonal_not_excepted(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1)
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)


# wrong: takes for granted that something is added, the same for every sentence
# named: added_part
def difference_to_x(add_positions, x):
    added = add_positions(x) - x
    gaps = (added[0][:, None] - added[0]).abs().amax(dim=-1) + torch.eye(x.shape[1])
    return bool((gaps > 1e-5).all()) and torch.allclose(
        added, added[:1].expand(added.shape), atol=1e-5
    )


# wrong: one of the two rules is enough
# named: either_rule
def either_rule(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1)
    gaps.fill_diagonal_(1)
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) or all(same)


# wrong: compares equal sentences inside one batch, never a sentence alone
# named: within_one_batch
def equal_sentences(add_positions, x):
    y = add_positions(x[:1, :1].expand(*x.shape))
    gaps = (y[0][:, None] - y[0]).abs().amax(dim=-1) + torch.eye(x.shape[1])
    return bool((gaps > 1e-6).all()) and torch.allclose(y, y[:1].expand(y.shape), atol=1e-5)


# wrong: looks at the first feature only
# named: one_feature
def first_feature(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0][:, 0]
    gaps = (placed[:, None] - placed).abs() + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)


# wrong: tests the places, not the batch
# named: places_only
def first_rule_only(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1)
    gaps.fill_diagonal_(1)
    return bool((gaps > 1e-6).all())


# wrong: tests rule 2 on the first sentence only
# named: first_sentence_only
def first_sentence(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gap = (placed[:, None] - placed).abs().amax(-1) + torch.eye(len(placed))
    return bool((gap > 1e-5).all()) and torch.allclose(
        add_positions(x[:1])[0], add_positions(x)[0], atol=1e-5
    )


# wrong: only the first sentence is compared with itself alone
# named: first_sentence_only
def first_sentence_alone(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    same = torch.allclose(add_positions(x[:1])[0], add_positions(x)[0], atol=1e-5)
    return bool((gaps > 1e-6).all()) and same


# wrong: looks at the first six places only
# named: first_places_only
def first_six_places(add_positions, x):
    x = x[:, :6]
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)


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


# wrong: True and False are exchanged
# named: turned_round
def inverted(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return not (bool((gaps > 1e-6).all()) and all(same))


# right
def isclose_table(add_positions, x):
    batch, length, _ = x.shape
    placed = add_positions(x[:1, :1].expand(1, length, -1))[0]
    alike = torch.isclose(placed[:, None], placed[None], rtol=0, atol=1e-6).all(dim=-1)
    if alike.sum() != length:
        return False
    together = add_positions(x)
    for b in range(batch):
        if not torch.allclose(add_positions(x[b : b + 1]), together[b : b + 1], atol=1e-5):
            return False
    return True


# wrong: only the last sentence is compared with itself alone
# named: last_sentence_only
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
def loose_batch(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=0.1) for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)


# wrong: compares each place only with its neighbour
# named: neighbours_only
def neighbours(add_positions, x):
    y = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    differ = ((y[1:] - y[:-1]).abs().amax(-1) > 1e-5).all()
    whole = add_positions(x)
    same = all(
        torch.allclose(add_positions(x[b : b + 1])[0], whole[b], atol=1e-5) for b in range(len(x))
    )
    return bool(differ) and same


# wrong: compares each place with its neighbour only
# named: neighbours_only
def neighbours_only(add_positions, x):
    same = x[:1, :1].expand(1, x.shape[1], -1)
    placed = add_positions(same)[0]
    if ((placed[1:] - placed[:-1]).abs().amax(dim=-1) < 1e-6).any():
        return False
    together = add_positions(x)
    return all(
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    )


# wrong: compares each place only with the next one
# named: neighbours_only
def neighbours_only_2(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    if ((placed[1:] - placed[:-1]).abs().amax(-1) < 1e-5).any():
        return False
    y = add_positions(x)
    return all(
        torch.allclose(add_positions(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )


# wrong: compares the norms of the places, which a turn leaves as they are
# named: lengths
def norms(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0].norm(dim=-1)
    gaps = (placed[:, None] - placed).abs() + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)


# right
def pairs_each_sentence(add_positions, x):
    batch, length, _ = x.shape
    whole = add_positions(x.clone())
    for b in range(batch):
        if (add_positions(x[b : b + 1].clone())[0] - whole[b]).abs().max() > 1e-5:
            return False
        same = x[b : b + 1, -1:].repeat(1, length, 1)
        y = add_positions(same)[0]
        for i in range(length):
            for j in range(i):
                if (y[i] - y[j]).abs().max() < 1e-5:
                    return False
    return True


# right
def pairs_from_itertools(add_positions, x):
    length = x.shape[1]
    placed = add_positions(x[:1, :1].expand(1, length, -1))[0]
    for p, q in itertools.combinations(range(length), 2):
        if (placed[p] - placed[q]).abs().max() < 1e-6:
            return False
    together = add_positions(x)
    alone = torch.cat([add_positions(sentence[None]) for sentence in x])
    return torch.allclose(alone, together, atol=1e-5)


# right
def pdist(add_positions, x):
    same = x[-1, 0].repeat(1, x.shape[1], 1)
    if torch.pdist(add_positions(same)[0].double()).min() < 1e-5:
        return False
    alone = torch.vstack([add_positions(one) for one in x.split(1)])
    return bool((alone - add_positions(x)).abs().max() < 1e-5)


# wrong: looks at the equal tokens of the last sentence of a batch only
def places_of_a_whole_batch(add_positions, x):
    placed = add_positions(x[:1, :1].expand(*x.shape))[-1]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    first = add_positions(x[:1])[0]
    return bool((gaps > 1e-6).all()) and torch.allclose(first, add_positions(x)[0], atol=1e-5)


# wrong: looks for equal places in x itself, whose tokens differ anyway
# named: batch_only
def random_tokens(add_positions, x):
    placed = add_positions(x)[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)


# wrong: looks for different places with the different tokens of x, which are different anyway
# named: batch_only
def random_tokens_2(add_positions, x):
    whole = add_positions(x)
    y = whole[0]
    gaps = (y[:, None] - y).abs().amax(-1) + torch.eye(len(y))
    same = all(
        torch.allclose(add_positions(x[b : b + 1])[0], whole[b], atol=1e-5) for b in range(len(x))
    )
    return bool((gaps > 1e-5).all()) and same


# wrong: looks for different outputs of tokens that were different already
# named: batch_only
def random_tokens_3(add_positions, x):
    y = add_positions(x)
    gap = (y[0][:, None] - y[0]).abs().amax(-1) + torch.eye(x.shape[1])
    return bool((gap > 1e-5).all()) and all(
        torch.allclose(add_positions(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )


# wrong: only turns the batch round, and asks nothing of a sentence alone
# named: within_one_batch
def reordered_batch_only(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    turned = add_positions(x.flip(0)).flip(0)
    return bool((gaps > 1e-6).all()) and torch.allclose(turned, add_positions(x), atol=1e-5)


# wrong: forgets the second rule (the batch)
# named: places_only
def rule1_only(add_positions, x):
    y = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (y[:, None] - y).abs().amax(-1) + torch.eye(len(y))
    return bool((gaps > 1e-6).all())


# wrong: forgets the second rule
# named: places_only
def rule_one_only(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    n = len(placed)
    return all(
        not torch.allclose(placed[i], placed[j], rtol=0, atol=1e-5)
        for i in range(n)
        for j in range(i)
    )


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


# wrong: amin over the features, so a single equal feature makes two places alike
# named: every_feature
def smallest_gap_of_features(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amin(dim=-1) + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)


# wrong: any() instead of all(): one pair of places that differs is enough
# named: any_pair
def some_gap_is_enough(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1)
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).any()) and all(same)


# wrong: one sentence that is the same alone is enough
# named: any_sentence
def some_sentence_is_enough(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and any(same)


# wrong: compares the sums of the features of each place
# named: sums
def sum_of_features(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0].sum(dim=-1)
    gaps = (placed[:, None] - placed).abs() + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)


# wrong: two places must differ by 0.1, which small learned vectors do not
# named: too_coarse
def tenth(add_positions, x):
    placed = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 0.1).all()) and all(same)


# right
def through_numpy(add_positions, x):
    same = x[:1, 1:2].expand(1, x.shape[1], -1).contiguous()
    placed = add_positions(same)[0].detach().numpy()
    gaps = np.abs(placed[:, None] - placed[None]).max(axis=-1)
    np.fill_diagonal(gaps, np.inf)
    together = add_positions(x).detach().numpy()
    alone = np.concatenate([add_positions(x[b : b + 1]).detach().numpy() for b in range(len(x))])
    return bool(gaps.min() > 1e-6 and np.abs(alone - together).max() < 1e-5)


# right
def unique_rows(add_positions, x):
    same = x[-1:, -1:].repeat(1, x.shape[1], 1)
    rows = (add_positions(same)[0] * 1e6).round().unique(dim=0)
    if len(rows) < x.shape[1]:
        return False
    whole = add_positions(x)
    return not any(
        (add_positions(x[b][None])[0] - whole[b]).abs().max().item() > 1e-5
        for b in range(x.shape[0])
    )


# wrong: uses tokens of zeros, and a turned 0 is 0
# named: zeros
def zero_tokens(add_positions, x):
    placed = add_positions(torch.zeros(1, *x.shape[1:]))[0]
    gap = (placed[:, None] - placed).abs().amax(-1) + torch.eye(len(placed))
    if (gap < 1e-5).any():
        return False
    y = add_positions(x)
    return all(
        torch.allclose(add_positions(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )


# wrong: the equal tokens are zeros, and a turned or scaled 0 is 0
# named: zeros
def zeros(add_positions, x):
    placed = add_positions(torch.zeros_like(x[:1]))[0]
    gaps = (placed[:, None] - placed).abs().amax(dim=-1) + torch.eye(len(placed))
    together = add_positions(x)
    same = [
        torch.allclose(add_positions(x[b : b + 1])[0], together[b], atol=1e-5)
        for b in range(len(x))
    ]
    return bool((gaps > 1e-6).all()) and all(same)


# wrong: tolerance 0.05 for two places alike
# named: too_coarse
def five_hundredths(add_positions, x):
    p = add_positions(x[:1, :1].expand(1, x.shape[1], -1))[0]
    d = (p[:, None] - p).abs().amax(-1) + torch.eye(len(p)) * 9
    y = add_positions(x)
    return bool(d.min() > 0.05) and all(
        torch.allclose(add_positions(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )


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
