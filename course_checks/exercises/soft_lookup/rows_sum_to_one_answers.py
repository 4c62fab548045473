"""Answers to rows_sum_to_one (lesson 01, exercise 5), right and wrong, as students write them."""

import math

import torch


def attention_inputs(query_len=3, key_len=5, factor=1.0):
    shapes = (query_len, 4), (key_len, 4), (key_len, 2)
    return tuple(factor * torch.randn(shape) for shape in shapes)


# right
def batched(attention):
    inputs = (torch.randn(2, n, 5, dtype=torch.float64) for n in (6, 4, 4))
    _, weights = attention(*inputs)
    is_one = weights.sum(-1).sub(1).abs().lt(1e-6)
    return is_one.all() & weights.ge(0).all()  # a tensor with one bool


# right
def loop(attention):
    output, weights = attention(torch.rand(7, 3), torch.rand(7, 3) * 2, torch.rand(7, 3))
    shares = all(float(weight) >= 0 for row in weights for weight in row)
    return shares and all(math.isclose(float(row.sum()), 1, abs_tol=1e-3) for row in weights)


# wrong: tries one key only, so every softmax over the keys is 1
# named: single_key
def a_single_key(attention):
    _, weights = attention(torch.randn(3, 4), torch.randn(1, 4), torch.randn(1, 2))
    return bool((weights >= 0).all() and torch.allclose(weights.sum(-1), torch.ones(3)))


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


# wrong: forgets that shares may not be negative
# named: sums_alone
def no_sign_test(attention):
    _, weights = attention(torch.randn(5, 4), torch.randn(7, 4), torch.randn(7, 2))
    return torch.allclose(weights.sum(dim=-1), torch.ones(5), atol=1e-5)


# wrong: probes with a single query, so one table entry per key: a softmax over the whole table passes
# named: single_query
# points: 4
def one_query(attention):
    q, k, v = torch.randn(1, 4), torch.randn(6, 4), torch.randn(6, 3)
    _, w = attention(q, k, v)
    return bool(torch.allclose(w.sum(-1), torch.ones(1)) and (w >= 0).all())


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


# wrong: adds up the rows of the output instead of the weights
# named: rejects_everything
def tests_the_output(attention):
    output, _ = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    return bool(torch.allclose(output.sum(-1), torch.ones(3), atol=1e-5) and (output >= 0).all())


# wrong: all inputs are zero and the lengths equal, so that the wrong axis gives the same weights
# named: equal_inputs
# points: 3
def zeros_square(attention):
    z = torch.zeros(4, 4)
    _, weights = attention(z, z, z)
    return bool((weights >= 0).all()) and torch.allclose(weights.sum(-1), torch.ones(4), atol=1e-5)


# wrong: weights down to -0.1 pass
def a_little_below_zero_passes(attention):
    w = attention(torch.randn(6, 8), torch.randn(7, 8), torch.randn(7, 3))[1]
    return bool((w >= -0.1).all()) and torch.allclose(w.sum(-1), torch.ones(6), atol=1e-4)


# wrong: asks for a sum of exactly one
# named: exact
# points: 0
def exactly_one(attention):
    return bool((attention(*attention_inputs(64, 16))[1].sum(dim=-1) == 1).all())


# wrong: asserts instead of returning False
# says: return False instead
def are_shares(attention, factor=1.0, atol=1e-5):
    weights = attention(*attention_inputs(factor=factor))[1]
    return bool((weights >= 0).all() and ((weights.sum(dim=-1) - 1).abs() <= atol).all())


def asserts_and_returns(attention):
    assert are_shares(attention)
    return True


# wrong: tries whole numbers
# says: These are whole numbers (or True
def on_whole_numbers(attention):
    attention(torch.tensor([[1, 2]]), torch.tensor([[3, 4]]), torch.tensor([[5]]))


# other inputs
def attention_with(weights_of):
    def attention(query, key, value):
        weights = weights_of(query @ key.transpose(-2, -1))
        return weights @ value, weights

    return attention


def attentions():
    """Right and wrong ones, for the student's test; others than the check's."""
    yield attention_with(lambda scores: torch.softmax(scores / 2, dim=-1))
    yield attention_with(lambda scores: torch.softmax(-scores, dim=-1))
    yield attention_with(lambda scores: torch.full_like(scores, 1 / scores.shape[-1]))
    yield attention_with(lambda scores: torch.full_like(scores, 1 / scores.shape[-2]))
    yield attention_with(lambda scores: torch.softmax(scores, dim=-2))
    yield attention_with(torch.sigmoid)
    yield attention_with(torch.exp)
    for factor in (0.5, 0.9, 1.1, 2.0):
        yield attention_with(lambda scores, f=factor: f * torch.softmax(scores, dim=-1))


def other_inputs(generator):
    yield from ((attention,) for attention in attentions())
