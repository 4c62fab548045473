"""Answers to rows_sum_to_one (lesson 01, exercise 5), right and wrong, as students write them."""

import math

import numpy as np
import torch


# wrong: tries one key only, so every softmax over the keys is 1
# named: single_key
def a_single_key(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(1, 4), torch.randn(1, 2))
    return bool((weights >= 0).all() and torch.allclose(weights.sum(-1), torch.ones(3)))


# wrong: tries one query only, where a table normalised as a whole looks right
# named: single_query
def a_single_query(attention):
    _, weights = attention(torch.randn(1, 4), torch.randn(5, 4), torch.randn(5, 2))
    ok = torch.allclose(weights.sum(dim=-1), torch.ones(1), atol=1e-5)
    return bool(ok and (weights >= 0).all())


# wrong: adds up absolute values, so negative weights are never seen as such
# named: absolute_weights
def absolute_weights_added(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    sums = weights.abs().sum(dim=-1)
    return torch.allclose(sums, torch.ones_like(sums), atol=1e-5)


# wrong: adds up over the queries instead of the keys
# named: wrong_axis
def adds_the_columns(attention):
    query, key, value = torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2)
    _, weights = attention(query, key, value)
    sums = weights.sum(dim=0)
    return bool((weights >= 0).all() and torch.allclose(sums, torch.ones_like(sums)))


# wrong: says True without trying anything
# named: accepts_everything
def always_true(attention):
    return True


# wrong: any() where all() is meant
# named: some_row
def any_row_is_enough(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    near = (weights.sum(-1) - 1).abs() < 1e-5
    return bool(near.any() and (weights >= 0).all())


# wrong: asserts and returns nothing instead of True or False
# named: asserts
def asserts(attention):
    _, weights = attention(torch.randn(5, 4), torch.randn(7, 4), torch.randn(7, 2))
    assert (weights >= 0).all()
    assert torch.allclose(weights.sum(dim=-1), torch.ones(5), atol=1e-5)


# wrong: checks that sum - 1 is small without abs, so every sum below 1 passes
# named: too_small_passes
def difference_without_abs(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    return bool((weights.sum(-1) - 1 < 1e-5).all() and (weights >= 0).all())


# wrong: compares floating-point sums with 1 exactly, so right versions can fail
# named: exact
def exact(attention):
    torch.manual_seed(0)
    _, w = attention(torch.randn(31, 8), torch.randn(47, 8), torch.randn(47, 2))
    return bool((w.sum(-1) == 1).all() and (w >= 0).all())


# wrong: compares floating-point sums with == 1, which right versions miss by a rounding
# named: exact
def exactly_one(attention):
    _, weights = attention(torch.randn(30, 4), torch.randn(50, 4), torch.randn(50, 2))
    return bool((weights.sum(dim=-1) == 1).all() and (weights >= 0).all())


# wrong: asks for exact equality with 1, which rounding breaks for right versions
# named: exact
def exactly_one_2(attention):
    q, k, v = torch.randn(50, 8), torch.randn(70, 8), torch.randn(70, 5)
    _, w = attention(q, k, v)
    return bool((w.sum(dim=-1) == 1).all() and (w >= 0).all())


# wrong: looks at the weights of the first query only
# named: first_row_only
def first_row_only(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    row = weights[0]
    return bool(abs(row.sum().item() - 1) < 1e-5 and (row >= 0).all())


# wrong: a tolerance of 0.5
# named: too_loose
def half_is_close_enough(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    return bool(((weights.sum(-1) - 1).abs() < 0.5).all() and (weights >= 0).all())


# wrong: inputs of zeros, for which many wrong versions give equal shares
# named: equal_inputs
def inputs_of_zeros(attention):
    _, weights = attention(torch.zeros(3, 4), torch.zeros(5, 4), torch.zeros(5, 2))
    sums = weights.sum(dim=-1)
    return bool((weights >= 0).all()) and torch.allclose(sums, torch.ones(3), atol=1e-5)


# wrong: sums the output instead of the weights
# named: rejects_everything
def looks_at_output(attention):
    q, k, v = torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2)
    output, weights = attention(q, k, v)
    return torch.allclose(output.sum(dim=-1), torch.ones(3), atol=1e-5) and bool(
        (weights >= 0).all()
    )


# right
def many_shapes(attention):
    g = torch.Generator().manual_seed(7)
    for n, m in [(3, 5), (5, 3), (2, 9), (7, 2)]:
        q, k, v = (
            torch.randn(s, generator=g, dtype=torch.float64) for s in [(n, 4), (m, 4), (m, 3)]
        )
        w = attention(q, k, v)[1].detach()
        if w.min().item() < 0 or (w.sum(dim=1) - 1).abs().max().item() > 1e-5:
            return False
    return True


# wrong: compares the mean of the row sums with 1
# named: total_of_square
def mean_of_the_sums(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(3, 4), torch.randn(3, 2))
    return bool((weights >= 0).all()) and abs(weights.sum(-1).mean().item() - 1) < 1e-5


# wrong: asks whether any row is too far from 1, which no NaN is, and only at huge scores
# named: saturated
def nan_slips_through(attention):
    query, key, value = 1e4 * torch.randn(3, 4), 1e4 * torch.randn(5, 4), torch.randn(5, 2)
    _, weights = attention(query, key, value)
    return not bool(((weights.sum(-1) - 1).abs() > 1e-5).any() or (weights < 0).any())


# wrong: never looks whether a weight is negative
# named: sums_alone
def no_negative(attention):
    torch.manual_seed(0)
    _, w = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    return torch.allclose(w.sum(dim=1), torch.ones(3), atol=1e-5)


# wrong: forgets that shares may not be negative
# named: sums_alone
def no_sign_test(attention):
    _, weights = attention(torch.randn(5, 4), torch.randn(7, 4), torch.randn(7, 2))
    return torch.allclose(weights.sum(dim=-1), torch.ones(5), atol=1e-5)


# wrong: probes with a single query, so one table entry per key: a softmax over the whole table passes
# named: single_query
def one_query(attention):
    q, k, v = torch.randn(1, 4), torch.randn(6, 4), torch.randn(6, 3)
    _, w = attention(q, k, v)
    return bool(torch.allclose(w.sum(-1), torch.ones(1)) and (w >= 0).all())


# right
def ones_vector(attention):
    g = torch.Generator().manual_seed(11)
    for n, m in ((2, 9), (6, 3), (5, 5)):
        q, k, v = (torch.randn(s, 4, generator=g) for s in (n, m, m))
        w = attention(q, k, v)[1]
        if tuple(w.shape) != (n, m) or w.min() < 0:
            return False
        if ((w @ torch.ones(m, dtype=w.dtype)) - 1).abs().max() > 1e-4:
            return False
    return True


# wrong: looks at the first query's row only, and with a tolerance of a half
def only_first_row(attention):
    _, w = attention(torch.randn(6, 4), torch.randn(9, 4), torch.randn(9, 3))
    return abs(w[0].sum().item() - 1) < 0.5 and bool((w[0] >= 0).all())


# wrong: looks at the signs and not at the sums
# named: signs_alone
def only_the_signs(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    return bool((weights >= 0).all())


# wrong: returns True when the rows do NOT add up to 1
# named: turned_round
def opposite_answer(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    bad = not torch.allclose(weights.sum(-1), torch.ones(3), atol=1e-5)
    return bad or bool((weights < 0).any())


# wrong: the rows add up to 1 or no weight is negative, where both are asked
# named: one_of_both
def or_instead_of_and(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    sums = torch.allclose(weights.sum(-1), torch.ones(3), atol=1e-5)
    return sums or bool((weights >= 0).all())


# right
def right_assert_close(attention):
    q, k, v = torch.randn(5, 4), torch.randn(8, 4), torch.randn(8, 3)
    _, weights = attention(q, k, v)
    try:
        torch.testing.assert_close(weights.abs().sum(-1), torch.ones(5), atol=1e-4, rtol=0)
        torch.testing.assert_close(weights.sum(-1), torch.ones(5), atol=1e-4, rtol=0)
    except AssertionError:
        return False
    return True


# right
def right_numpy(attention):
    rng = np.random.default_rng(0)
    query, key, value = (
        torch.from_numpy(rng.normal(size=shape)) for shape in ((4, 3), (6, 3), (6, 2))
    )
    weights = attention(query, key, value)[1].numpy()
    return bool(np.all(weights >= 0) and np.allclose(weights.sum(axis=1), 1.0))


# right
def right_plain_python(attention):
    torch.manual_seed(3)
    for _ in range(5):
        _, weights = attention(torch.randn(6, 4), torch.randn(9, 4), torch.randn(9, 4))
        for row in weights.tolist():
            if any(w < 0 for w in row) or not math.isclose(sum(row), 1.0, abs_tol=1e-4):
                return False
    return True


# right
def right_several_lengths(attention):
    for query_len, key_len in ((2, 7), (7, 2), (4, 4)):
        q, k, v = torch.randn(query_len, 3), torch.randn(key_len, 3), torch.randn(key_len, 5)
        weights = attention(q, k, v)[1]
        if weights.min() < 0 or (weights.sum(1) - 1).abs().max() > 1e-4:
            return False
    return True


# wrong: looks at the sums and not at the signs
# named: sums_alone
def signs_not_looked_at(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    return torch.allclose(weights.sum(dim=-1), torch.ones(3), atol=1e-5)


# wrong: compares the sum of the whole table with the number of queries
# named: total_of_square
def sum_of_the_whole_table(attention):
    n = 4
    _, weights = attention(torch.randn(n, 3), torch.randn(n, 3), torch.randn(n, 3))
    return bool((weights >= 0).all()) and abs(weights.sum().item() - n) < 1e-4


# wrong: rounds the sums to whole numbers before comparing
# named: too_loose
def sums_rounded(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    return bool((weights.sum(-1).round() == 1).all() and (weights >= 0).all())


# wrong: adds up the rows of the output instead of the weights
# named: rejects_everything
def tests_the_output(attention):
    output, _ = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    return bool(torch.allclose(output.sum(-1), torch.ones(3), atol=1e-5) and (output >= 0).all())


# wrong: compares the sum of the whole table with the number of queries, not each row with 1
# named: total_of_square
def total(attention):
    torch.manual_seed(0)
    _, w = attention(torch.randn(4, 3), torch.randn(4, 3), torch.randn(4, 2))
    return bool(abs(w.sum().item() - w.shape[0]) < 1e-4 and (w >= 0).all())


# wrong: compares the sum of the whole table with the number of queries on a square table
# named: total_of_square
def total_of_square(attention):
    q = torch.randn(4, 3)
    _, w = attention(q, torch.randn(4, 3), torch.randn(4, 3))
    return bool(torch.isclose(w.sum(), torch.tensor(4.0), atol=1e-4)) and bool((w >= 0).all())


# wrong: asks for weights above 0, so a right version whose weights underflow fails
# named: rejects_everything
def zero_weights_refused(attention):
    query, key, value = 30 * torch.randn(30, 8), 30 * torch.randn(20, 8), torch.randn(20, 2)
    _, weights = attention(query, key, value)
    return bool((weights > 0).all() and ((weights.sum(-1) - 1).abs() < 1e-4).all())


# wrong: all inputs are zero and the lengths equal, so that the wrong axis gives the same weights
# named: equal_inputs
def zeros_square(attention):
    z = torch.zeros(4, 4)
    _, weights = attention(z, z, z)
    return bool((weights >= 0).all()) and torch.allclose(weights.sum(-1), torch.ones(4), atol=1e-5)


# wrong: compares with its own softmax, so that other right versions (scaled) fail
def same_softmax(attention):
    q, k, v = torch.randn(4, 3), torch.randn(6, 3), torch.randn(6, 2)
    _, w = attention(q, k, v)
    return torch.allclose(w, torch.softmax(q @ k.T, -1), atol=1e-5)


# wrong: allows a difference of 0.04
# named: too_loose
def tolerance_of_four_percent(attention):
    w = attention(torch.randn(5, 8), torch.randn(7, 8), torch.randn(7, 3))[1]
    return bool((w >= 0).all()) and torch.allclose(w.sum(-1), torch.ones(5), atol=0.04)


# wrong: weights down to -0.1 pass
def a_little_below_zero_passes(attention):
    w = attention(torch.randn(6, 8), torch.randn(7, 8), torch.randn(7, 3))[1]
    return bool((w >= -0.1).all()) and torch.allclose(w.sum(-1), torch.ones(6), atol=1e-4)
