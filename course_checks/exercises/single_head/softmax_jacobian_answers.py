"""Answers to softmax_jacobian (lesson 02, exercise 5), right and wrong, as students write them."""

import functools

import torch


# right
def autograd(weights):
    scores = torch.log(weights.clamp(min=1e-30))
    return torch.autograd.functional.jacobian(lambda s: torch.softmax(s, 0), scores)


# right
def loop(weights):
    size = len(weights)
    out = torch.empty(size, size, dtype=weights.dtype)
    for i in range(size):
        for j in range(size):
            out[i, j] = weights[i] * (float(i == j) - weights[j])
    return out


# wrong: a one-sided difference with a step of 0.1
def big_finite_difference(weights):
    scores, h = weights.clamp(min=1e-30).log(), 0.1
    columns = []
    for j in range(len(weights)):
        moved = scores.clone()
        moved[j] += h
        columns.append((torch.softmax(moved, dim=0) - weights) / h)
    return torch.stack(columns, dim=1)


# wrong: p on the diagonal and -p_i p_j elsewhere, without subtracting p_i squared
# named: square_missing
def diagonal_without_its_square(weights):
    jacobian = -torch.outer(weights, weights)
    jacobian[range(len(weights)), range(len(weights))] = weights
    return jacobian


# wrong: puts the numbers into a float32 matrix
# named: dtype
# points: 4
def float32_result(weights):
    n = len(weights)
    jacobian = torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            jacobian[i, j] = weights[i] * (float(i == j) - weights[j])
    return jacobian


# wrong: differentiates the weights by the weights themselves
# named: identity
def identity_from_autograd(weights):
    return torch.autograd.functional.jacobian(lambda w: w.clone(), weights)


# wrong: the Jacobian of the log of the softmax
# named: first_factor_missing
def of_the_log_softmax(weights):
    n = len(weights)
    return torch.eye(n, dtype=weights.dtype) - weights.expand(n, n)


# wrong: -p_i (1 - p_j) off the diagonal
# named: complement
def one_minus_p_at_both(weights):
    jacobian = -torch.outer(weights, 1 - weights)
    jacobian.fill_diagonal_(0)
    return jacobian + torch.diag(weights * (1 - weights))


# wrong: written out for three weights
# named: three_only
def three_scores_only(weights):
    a, b, c = weights[0], weights[1], weights[2]
    rows = [[a * (1 - a), -a * b, -a * c], [-b * a, b * (1 - b), -b * c]]
    rows.append([-c * a, -c * b, c * (1 - c)])
    return torch.tensor(rows, dtype=weights.dtype)


# wrong: the inner loop starts at i, so the lower half stays 0
# named: half
def upper_triangle_only(weights):
    n = len(weights)
    jacobian = torch.zeros(n, n, dtype=weights.dtype)
    for i in range(n):
        for j in range(i, n):
            jacobian[i, j] = weights[i] * (1 - weights[i]) if i == j else -weights[i] * weights[j]
    return jacobian


# wrong: multiplies the caller's weights in place
# named: changes_input
# points: 4
def weights_changed(weights):
    jacobian = torch.diag(weights) - torch.outer(weights, weights)
    weights *= 1 - weights
    return jacobian


# wrong: subtracts a number from True
# says: write float(i == j)
def bool_minus(p):
    return torch.stack([torch.stack([p[i] * ((i == j) - p[j]) for j in (0, 1)]) for i in (0, 1)])


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    yield from ((torch.softmax(2 * randn(length), dim=0),) for length in (2, 4, 7))
