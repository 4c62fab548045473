"""Answers to softmax_jacobian (lesson 02, exercise 5), right and wrong, as students write them."""

import torch


# wrong: returns p (1 - p), one number for each weight
# named: vector
def a_vector_of_slopes(weights):
    return weights * (1 - weights)


# wrong: differentiates softmax at the weights instead of at the scores
# named: softmax_again
def autograd_at_the_weights(weights):
    return torch.autograd.functional.jacobian(lambda s: torch.softmax(s, dim=-1), weights)


# wrong: a one-sided difference with a step of 0.1
def big_finite_difference(weights):
    scores, h = weights.clamp(min=1e-30).log(), 0.1
    columns = []
    for j in range(len(weights)):
        moved = scores.clone()
        moved[j] += h
        columns.append((torch.softmax(moved, dim=0) - weights) / h)
    return torch.stack(columns, dim=1)


# wrong: only the diagonal p(1-p); the other entries stay zero
# named: own_score_only
def diag_only(weights):
    n = len(weights)
    J = torch.zeros(n, n, dtype=weights.dtype)
    for i in range(n):
        J[i, i] = weights[i] * (1 - weights[i])
    return J


# wrong: fills only the diagonal with p (1 - p)
# named: own_score_only
def diagonal_only(weights):
    return torch.diag(weights * (1 - weights))


# wrong: p_i squared is subtracted on the diagonal twice
# named: square_twice
def diagonal_squared(weights):
    return torch.diag(weights - weights**2) - torch.outer(weights, weights)


# wrong: p on the diagonal and -p_i p_j elsewhere, without subtracting p_i squared
# named: square_missing
def diagonal_without_its_square(weights):
    jacobian = -torch.outer(weights, weights)
    jacobian[range(len(weights)), range(len(weights))] = weights
    return jacobian


# wrong: divides by the number of weights
def divided_by_n(weights):
    return (torch.diag(weights) - torch.outer(weights, weights)) / len(weights)


# right
def einsum(weights):
    p = weights
    return p[:, None] * (torch.eye(len(p), dtype=p.dtype, device=p.device) - p[None, :])


# wrong: weights * weights, which is not an outer product
# named: squares
def elementwise_not_outer(weights):
    return torch.diag(weights) - weights * weights


# wrong: the diagonal term is the identity, not the weights
# named: eye_minus_outer
def eye(weights):
    n = weights.shape[0]
    return torch.eye(n, dtype=weights.dtype) - torch.outer(weights, weights)


# wrong: puts the numbers into a float32 matrix
# named: dtype
def float32_result(weights):
    n = len(weights)
    jacobian = torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            jacobian[i, j] = weights[i] * (float(i == j) - weights[j])
    return jacobian


# wrong: 1 on the diagonal in place of p
# named: eye_minus_outer
def identity_for_diagonal(weights):
    return torch.eye(len(weights), dtype=weights.dtype) - torch.outer(weights, weights)


# wrong: differentiates the weights by the weights themselves
# named: identity
def identity_from_autograd(weights):
    return torch.autograd.functional.jacobian(lambda w: w.clone(), weights)


# right
def kronecker(weights):
    eye = torch.eye(weights.numel(), dtype=weights.dtype, device=weights.device)
    return weights.unsqueeze(1) * (eye - weights.unsqueeze(0))


# right
def log_autograd(weights):
    return torch.autograd.functional.jacobian(
        lambda s: torch.softmax(s, dim=-1), weights.detach().log()
    )


# wrong: the second assignment in the loop overwrites the diagonal case
# named: no_diagonal
def loop_overwrite(weights):
    n = len(weights)
    J = torch.zeros(n, n, dtype=weights.dtype)
    for i in range(n):
        for j in range(n):
            if i == j:
                J[i, j] = weights[i] * (1 - weights[i])
            J[i, j] = -weights[i] * weights[j]
    return J


# wrong: the Jacobian of the log of the softmax
# named: first_factor_missing
def of_the_log_softmax(weights):
    n = len(weights)
    return torch.eye(n, dtype=weights.dtype) - weights.expand(n, n)


# wrong: off the diagonal gives -p_i (1 - p_j) instead of -p_i p_j
# named: complement
def offdiag_i_notj(weights):
    p = weights
    off = -torch.outer(p, 1 - p)
    return torch.where(torch.eye(len(p), dtype=torch.bool), p * (1 - p), off)


# wrong: the .T of a vector does nothing, so w * w.T is no outer product
# named: squares
def one_d_transpose(weights):
    return torch.diag(weights) - weights * weights.T


# wrong: -p_i (1 - p_j) off the diagonal
# named: complement
def one_minus_p_at_both(weights):
    jacobian = -torch.outer(weights, 1 - weights)
    jacobian.fill_diagonal_(0)
    return jacobian + torch.diag(weights * (1 - weights))


# wrong: forgets the diagonal term
# named: no_diagonal
def outer_product_only(weights):
    return -torch.outer(weights, weights)


# wrong: adds the outer product instead of subtracting it
# named: plus
def plus(weights):
    return torch.diag(weights) + weights[:, None] * weights


# wrong: adds the outer product
# named: plus
def plus_for_minus(weights):
    return torch.diag(weights) + torch.outer(weights, weights)


# right
def right_autograd_at_the_log(weights):
    scores = weights.detach().log()  # softmax(log p) is p again
    return torch.func.jacrev(lambda s: torch.softmax(s, dim=0))(scores)


# right
def right_covariance_of_one_hots(weights):
    # the covariance of a one-hot draw: sum of p_k (e_k - p)(e_k - p)^T
    centred = torch.eye(len(weights), dtype=weights.dtype) - weights
    return (centred.T * weights) @ centred


# right
def right_from_the_exponentials(weights):
    # p_i = e_i / Z with e = p and Z = 1: (e_i delta_ij Z - e_i e_j) / Z^2
    z = weights.double().sum()
    e = weights.double()
    return ((torch.diag(e) * z - e[:, None] * e[None, :]) / z**2).to(weights.dtype)


# right
def right_kronecker_delta(weights):
    delta = torch.eye(weights.numel()).to(weights)
    return torch.einsum("i,ij->ij", weights, delta - weights)


# right
def right_two_cases(weights):
    n = len(weights)
    jacobian = torch.empty(n, n, dtype=weights.dtype)
    for i in range(n):
        for j in range(n):
            p, q = weights[i], weights[j]
            jacobian[i, j] = p * (1 - p) if i == j else -p * q
    return jacobian


# wrong: the sign is turned round
# named: sign
def sign(weights):
    return torch.outer(weights, weights) - torch.diag(weights)


# wrong: takes the softmax of the weights, as if they were scores
# named: softmax_again
def softmax_once_more(weights):
    p = torch.softmax(weights, dim=-1)
    return torch.diag(p) - torch.outer(p, p)


# wrong: p_i (delta - p_i), with the same index twice
# named: squares_of_row
def square_of_the_row(weights):
    eye = torch.eye(len(weights), dtype=weights.dtype)
    return weights[:, None] * (eye - weights[:, None])


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
def weights_changed(weights):
    jacobian = torch.diag(weights) - torch.outer(weights, weights)
    weights *= 1 - weights
    return jacobian
