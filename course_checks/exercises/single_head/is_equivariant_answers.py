"""Answers to is_equivariant (lesson 02, exercise 3), right and wrong, as students write them."""

import itertools
import random

import numpy as np
import torch


# wrong: shuffles x in place through an alias and then compares the layer's output with itself reordered
# named: changes_input
def aliased_shuffle(layer, x):
    shuffled = x
    perm = torch.randperm(x.shape[0])
    shuffled[:] = x[perm]
    return torch.allclose(layer(shuffled), layer(x)[perm], atol=1e-5)


# wrong: always True
# named: accepts_everything
def always_true(layer, x):
    return True


# wrong: returns True if any one of the tried orders agrees
def any_order(layer, x):
    y = layer(x)
    n = x.shape[0]
    orders = [torch.arange(n).flip(0)] + [torch.randperm(n) for _ in range(20)]
    return any(torch.allclose(layer(x[p]), y[p], atol=1e-5) for p in orders)


# wrong: any() where all() is meant, and the identity is among the orders
# named: accepts_everything
def any_order_is_enough(layer, x):
    y = layer(x)
    orders = [torch.arange(len(x))] + [torch.randperm(len(x)) for _ in range(5)]
    return any(torch.allclose(layer(x[p]), y[p], atol=1e-5) for p in orders)


# right
def argsort_back(layer, x):
    y = layer(x.clone())
    orders = [
        torch.randperm(x.size(0), generator=torch.Generator().manual_seed(s)) for s in range(30)
    ]
    worst = max(float((layer(x[o])[o.argsort()] - y).abs().max()) for o in orders)
    return worst < 1e-4


# wrong: shuffles the features instead of the tokens
# named: features_permuted
def columns(layer, x):
    for _ in range(5):
        p = torch.randperm(x.shape[1])
        if not torch.allclose(layer(x[:, p]), layer(x)[:, p], atol=1e-5):
            return False
    return True


# wrong: asks for exact equality, which rounding breaks for right layers
# named: exact
def exact_equal(layer, x):
    for _ in range(10):
        p = torch.randperm(len(x))
        if not torch.equal(layer(x[p]), layer(x)[p]):
            return False
    return True


# wrong: asks for exact equality, which a sum in another order misses by a rounding
# named: exact
def exactly_equal(layer, x):
    for _ in range(20):
        p = torch.randperm(len(x))
        if not torch.equal(layer(x[p]), layer(x)[p]):
            return False
    return True


# wrong: shuffles the features (axis 1), not the tokens
# named: features_permuted
def features(layer, x):
    torch.manual_seed(0)
    for _ in range(5):
        p = torch.randperm(x.shape[1])
        if not torch.allclose(layer(x[:, p]), layer(x)[:, p], atol=1e-5):
            return False
    return True


# wrong: shuffles the features instead of the tokens
# named: features_permuted
def features_shuffled(layer, x):
    order = torch.randperm(x.shape[1])
    return torch.allclose(layer(x[:, order]), layer(x)[:, order], atol=1e-5)


# wrong: shuffles the first three tokens and leaves the rest where they are
# named: some_stay
def first_half_shuffled(layer, x):
    y = layer(x)
    for _ in range(10):
        p = torch.cat([torch.randperm(3), torch.arange(3, len(x))])
        if not torch.allclose(layer(x[p]), y[p], atol=1e-5):
            return False
    return True


# wrong: returns True at the first order that agrees
def first_success(layer, x):
    for order in [
        torch.arange(len(x)).flip(0),
        torch.arange(len(x)).roll(1),
        torch.randperm(len(x)),
    ]:
        if torch.allclose(layer(x[order]), layer(x)[order], atol=1e-5):
            return True
    return False


# wrong: compares the output of the first token of the new order only
def first_token_only(layer, x):
    y = layer(x)
    p = torch.randperm(len(x))
    return torch.allclose(layer(x[p])[0], y[p][0], atol=1e-5)


# wrong: only swaps the first two tokens
# named: two_exchanged
def first_two_swapped(layer, x):
    order = torch.arange(len(x))
    order[0], order[1] = 1, 0
    return torch.allclose(layer(x[order]), layer(x)[order], atol=1e-5)


# wrong: tries only the reversed order and one rotation, two structured orders that sly layers can survive
# named: reversal_and_shift
def flip_roll(layer, x):
    y = layer(x)
    for f in (lambda t: t.flip(0), lambda t: t.roll(1, 0)):
        if not torch.allclose(layer(f(x)), f(y), atol=1e-5):
            return False
    return True


# wrong: tries it on tokens that are all the same
def input_of_ones(layer, x):
    same = torch.ones_like(x)
    p = torch.randperm(len(x))
    return torch.allclose(layer(same[p]), layer(same)[p], atol=1e-5)


# wrong: shuffles the output by the inverse order (argsort) instead of the same order
# named: wrong_side
def inverse(layer, x):
    g = torch.Generator().manual_seed(1)
    y = layer(x)
    for _ in range(10):
        p = torch.randperm(len(x), generator=g)
        if not torch.allclose(layer(x[p]), y[torch.argsort(p)], atol=1e-5):
            return False
    return True


# wrong: puts the output into the inverse order
# named: wrong_side
def inverse_order(layer, x):
    for _ in range(10):
        order = torch.randperm(len(x))
        if not torch.allclose(layer(x[order]), layer(x)[order.argsort()], atol=1e-5):
            return False
    return True


# wrong: looks at the mean of the signed differences, which cancel
# named: sums_compared
def mean_difference(layer, x):
    y = layer(x)
    for _ in range(10):
        p = torch.randperm(len(x))
        if abs((layer(x[p]) - y[p]).mean().item()) > 1e-5:
            return False
    return True


# right
def neighbour_swaps(layer, x):
    for start in range(6):
        z = x[torch.randperm(len(x))]
        y = layer(z)
        for i in range(len(x) - 1):
            order = list(range(len(x)))
            order[i], order[i + 1] = i + 1, i
            if not torch.allclose(layer(z[order]), y[order], atol=1e-5):
                return False
    return True


# wrong: tries the order that leaves everything in place
# named: accepts_everything
def one_order_that_changes_nothing(layer, x):
    order = torch.arange(len(x))
    return torch.allclose(layer(x[order]), layer(x)[order], atol=1e-5)


# wrong: returns True for layers that are not equivariant
# named: turned_round
def opposite(layer, x):
    p = torch.randperm(len(x))
    return not torch.allclose(layer(x[p]), layer(x)[p], atol=1e-5)


# wrong: compares the output of the shuffled input with the unshuffled output (tests invariance)
# named: invariance
def output_not_shuffled(layer, x):
    perm = torch.randperm(x.shape[0])
    return torch.allclose(layer(x[perm]), layer(x), atol=1e-5)


# wrong: compares with the unshuffled output, which is invariance
# named: invariance
def outputs_compared_unshuffled(layer, x):
    order = torch.randperm(len(x))
    return torch.allclose(layer(x[order]), layer(x), atol=1e-5)


# wrong: a relative tolerance of 10 percent
# named: too_loose
def relative_tolerance_of_ten_percent(layer, x):
    y = layer(x)
    orders = [torch.randperm(len(x)) for _ in range(10)]
    return all(torch.allclose(layer(x[p]), y[p], rtol=0.1, atol=1e-5) for p in orders)


# wrong: tries the order reversed and one rotation, which an average in a circle survives
# named: reversal_and_shift
def reversal_and_one_rotation(layer, x):
    y = layer(x)
    reverse = torch.allclose(layer(x.flip(0)), y.flip(0), atol=1e-5)
    rotate = torch.allclose(layer(x.roll(1, 0)), y.roll(1, 0), atol=1e-5)
    return reverse and rotate


# wrong: tries the order reversed and no other
# named: reversal_only
def reversal_only(layer, x):
    return torch.allclose(layer(x.flip(0)), layer(x).flip(0), atol=1e-5)


# right
def right_every_swap_and_some_shuffles(layer, x):
    n, y = len(x), layer(x)
    orders = []
    for i, j in itertools.combinations(range(n), 2):
        order = list(range(n))
        order[i], order[j] = j, i
        orders.append(order)
    orders += [random.sample(range(n), n) for _ in range(10)]
    return all(bool(((layer(x[p]) - y[p]).abs() <= 1e-4).all()) for p in orders)


# right
def right_numpy_comparison(layer, x):
    rng = np.random.default_rng(1)
    before = layer(x).detach().numpy()
    for _ in range(20):
        order = rng.permutation(len(x))
        after = layer(x[torch.from_numpy(order)]).detach().numpy()
        if not np.allclose(after, before[order], atol=1e-5):
            return False
    return True


# right
def right_permutation_matrix(layer, x):
    y = layer(x)
    for seed in range(8):
        order = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
        p = torch.eye(len(x), dtype=x.dtype)[order]
        if (layer(p @ x) - p @ y).abs().max().item() > 1e-4:
            return False
    return True


# right
def right_undo_the_shuffle(layer, x):
    y = layer(x.clone())
    for _ in range(12):
        p = torch.randperm(x.shape[0])
        back = torch.empty_like(y)
        back[p] = layer(x[p].clone())
        if not torch.allclose(back, y, rtol=1e-4, atol=1e-4):
            return False
    return True


# wrong: tries only rotations
# named: shift_only
def rotations_only(layer, x):
    y = layer(x)
    return all(
        torch.allclose(layer(x.roll(s, 0)), y.roll(s, 0), atol=1e-5) for s in range(1, len(x))
    )


# wrong: undoes the shuffle with the same order instead of its inverse
# named: wrong_side
def same_perm_back(layer, x):
    for _ in range(10):
        p = torch.randperm(len(x))
        if not torch.allclose(layer(x[p])[p], layer(x), atol=1e-5):
            return False
    return True


# wrong: compares the layer with itself on the same shuffled input
# named: accepts_everything
def same_shuffle_on_both(layer, x):
    p = torch.randperm(len(x))
    return torch.allclose(layer(x[p]), layer(x[p]), atol=1e-5)


# wrong: compares the outputs sorted, whichever token they belong to
# named: sorted_outputs
def sorted_outputs_compared(layer, x):
    order = torch.randperm(len(x))
    before, after = layer(x).sort(dim=0).values, layer(x[order]).sort(dim=0).values
    return torch.allclose(before, after, atol=1e-5)


# wrong: compares the sums of the outputs only
# named: sums_compared
def sums_compared(layer, x):
    order = torch.randperm(len(x))
    return torch.allclose(layer(x[order]).sum(dim=0), layer(x).sum(dim=0), atol=1e-4)


# wrong: tries only the swap of the first two tokens
# named: two_exchanged
def swap_first_two(layer, x):
    p = torch.arange(x.shape[0])
    p[0], p[1] = 1, 0
    return torch.allclose(layer(x[p]), layer(x)[p], atol=1e-5)


# right
def swaps_matrix(layer, x):
    """Adjacent swaps generate all permutations; check each of them on x and on further inputs."""
    g = torch.Generator().manual_seed(3)
    n = x.shape[0]
    inputs = [x] + [torch.randn(x.shape, generator=g, dtype=torch.float32).to(x) for _ in range(3)]
    perms = [torch.randperm(n, generator=g) for _ in range(12)]
    for i in range(n - 1):
        p = torch.arange(n)
        p[i], p[i + 1] = i + 1, i
        perms.append(p)
    for z in inputs:
        y = layer(z.clone())
        for p in perms:
            if not torch.allclose(layer(z[p]), y[p], atol=1e-4):
                return False
    return True


# wrong: a tolerance of 0.5 calls layers equivariant that are not
# named: too_loose
def tolerance_half(layer, x):
    y = layer(x)
    for _ in range(10):
        p = torch.randperm(len(x))
        if not torch.allclose(layer(x[p]), y[p], atol=0.5):
            return False
    return True


# wrong: a tolerance of 1
# named: too_loose
def tolerance_one(layer, x):
    y = layer(x)
    for _ in range(20):
        p = torch.randperm(len(x))
        if not torch.allclose(layer(x[p]), y[p], atol=1.0):
            return False
    return True


# wrong: shuffles the caller's x in place
# named: changes_input
def x_shuffled_in_place(layer, x):
    y = layer(x)
    p = torch.randperm(len(x))
    x[:] = x[p]
    return torch.allclose(layer(x), y[p], atol=1e-5)


# wrong: positions of size 0.01 are not seen with atol=0.1
# named: too_loose
def tolerance_of_a_tenth(layer, x):
    for seed in range(10):
        order = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
        if not torch.allclose(layer(x[order]), layer(x)[order], atol=0.1):
            return False
    return True


# wrong: the two halves are shuffled, and no token changes from one to the other
def shuffles_each_half(layer, x):
    n = len(x) // 2
    p = torch.cat([torch.randperm(n), n + torch.randperm(len(x) - n)])
    return torch.allclose(layer(x[p]), layer(x)[p], atol=1e-5)


# wrong: compares the first feature of the outputs
# named: some_features
def first_feature_alone(layer, x):
    p = torch.randperm(len(x))
    return torch.allclose(layer(x[p])[:, 0], layer(x)[p][:, 0], atol=1e-5)
