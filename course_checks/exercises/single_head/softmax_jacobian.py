"""Lesson 02, exercise 5: how the weights react to the scores."""

from torch import diag, eye, float64, outer, softmax, tensor

from course_checks.exercise import Case, Exercise, Property, all_of, randn


def softmax_jacobian(weights):
    return diag(weights) - outer(weights, weights)


MISTAKES = """
sign: diag(weights) - outer(weights, weights) -> outer(weights, weights) - diag(weights)
    All signs are turned round: more score for a key should mean more weight for it, so the diagonal
    is positive, and less for the others.
plus: - outer -> + outer
    You add the products where they are to be subtracted: the denominator of the softmax brings a
    minus.
positive_off_diagonal: diag(weights) - outer -> diag(weights - 2 * weights**2) + outer
    Off the diagonal your signs are positive. When one score rises, the other weights must fall,
    since all of them sum to 1: each column of the matrix sums to 0.
own_score_only: diag(weights) - outer(weights, weights) -> diag(weights * (1 - weights))
    You have the diagonal only: how a weight reacts to its own score. A softmax shares out one 1, so
    every weight reacts to every score.
vector: diag(weights) - outer(weights, weights) -> weights * (1 - weights)
    You return one derivative per weight, to its own score. Each weight reacts to every score, so
    the answer is a matrix.
no_diagonal: diag(weights) - -> -
    The product of weights i and j is there, and on the diagonal the extra term is not: it is
    missing or overwritten. A weight should rise with its own score.
weights_on_diagonal: - outer(weights, weights) ->
    You have the weights on the diagonal and nothing else. The denominator of the softmax depends on
    every score too.
first_factor_missing: diag(weights) - outer(weights, weights) -> \
        _identity(weights) - weights.unsqueeze(0)
    Your entries are delta_ij minus a weight: the factor in front is missing. Does the numerator of
    the softmax survive the derivative?
squares: outer(weights, weights) -> weights * weights
    You subtract the square of a weight from its whole column: in weights * weights and weights * (a
    matrix), both factors belong to the column. Off the diagonal stands the product of two different
    weights: an outer product.
dot_product: outer(weights, weights) -> weights @ weights
    weights @ weights is one number, the sum of the squares, and you subtract it everywhere. You
    need the table of all products: torch.outer.
eye_minus_outer: diag(weights) -> _identity(weights)
    The first term is 1 on your diagonal. It is the weight itself: the numerator of the softmax
    survives the derivative.
softmax_again: lambda weights: softmax_jacobian(softmax(weights, dim=-1))
    You take the softmax of what you are given. The argument holds the weights already, not the
    scores.
square_missing: diag(weights) -> diag(weights + weights**2)
    Off the diagonal all is right. On it you have the weight alone: the denominator of the softmax
    depends on the weight's own score too, and takes its square away.
square_twice: diag(weights) -> diag(weights - weights**2)
    On the diagonal you subtract the square of the weight twice: the outer product has it already.
squares_of_row: outer(weights, weights) -> (weights**2).unsqueeze(1)
or: diag(weights) - outer(weights, weights) -> \
        weights.unsqueeze(1) * (_identity(weights) - weights.unsqueeze(1))
    You subtract the square of a weight from its whole row: both factors have the same index. Off
    the diagonal stands the product of two different weights.
identity: _identity
    You return the identity: that is the derivative of the weights by themselves, and here they are
    to be differentiated by the scores.
three_only: lambda weights: softmax_jacobian(torch.stack([weights[0], weights[1], weights[2]]))
    You write out the matrix for three weights. There may be any number of them.
half: lambda weights: softmax_jacobian(weights).triu()
or: lambda weights: softmax_jacobian(weights).tril()
    Half of your matrix is empty: the entries on one side of the diagonal are 0. Does a loop begin
    at i instead of 0?
complement: diag(weights) - outer(weights, weights) -> \
        diag(2 * weights * (1 - weights)) - outer(weights, 1 - weights)
    Off the diagonal your entries are -p_i (1 - p_j). It is minus the product of the two weights:
    the 1 belongs to the diagonal.
"""


def _identity(weights):
    return eye(len(weights), dtype=weights.dtype, device=weights.device)


def _weights(*lengths, dtype=None):
    return lambda generator: [
        Case((softmax(randn(generator, length).to(dtype), dim=-1),)) for length in lengths
    ]


def _certain(generator):
    """One weight of 1: a softmax that is saturated passes no gradient."""
    return [
        Case((tensor([0.0, 1.0, 0.0]),), label="weights [0, 1, 0]"),
        Case((tensor([1.0, 0.0]),), label="weights [1, 0]"),
        *_weights(4)(generator),
    ]


EXERCISE = Exercise(
    reference=softmax_jacobian,
    returns={"jacobian": "(n, n): row i is the weight, column j the score"},
    properties=(
        # For two weights every Jacobian is a multiple of one matrix, and mistakes look alike.
        Property("entry (i, j) is the derivative of weight i by score j", 2, _weights(3, 4)),
        Property(
            "the same holds for other lengths, and in float64",
            1,
            all_of(_weights(2, 1, 6), _weights(5, dtype=float64)),
        ),
        Property("where one weight is 1 and the others 0, nothing reacts", 1, _certain),
    ),
    mistakes=MISTAKES,
)
