"""Lesson 02, exercise 5: how the weights react to the scores."""

from torch import diag, eye, float64, outer, softmax, stack, tensor

from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn


def softmax_jacobian(weights):
    return diag(weights) - outer(weights, weights)


def _positive_off_diagonal(weights):
    product = outer(weights, weights)
    return product + diag(weights - 2 * weights**2)


def _softmax_again(weights):
    return softmax_jacobian(softmax(weights, dim=-1))


def _of_three(p):
    return softmax_jacobian(stack([p[0], p[1], p[2]]))


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
    lesson="02",
    number=5,
    reference=softmax_jacobian,
    returns={"jacobian": "(n, n): row i is the weight, column j the score"},
    properties=(
        # For two weights every Jacobian is a multiple of one matrix, and mistakes look alike.
        Property("entry (i, j) is the derivative of weight i by score j", 2, _weights(3, 4)),
        Property(
            "the same holds for other lengths, and in float64",
            1,
            lambda generator: _weights(2, 1, 6)(generator) + _weights(5, dtype=float64)(generator),
        ),
        Property("where one weight is 1 and the others 0, nothing reacts", 1, _certain),
    ),
    mistakes=(
        Mistake(
            "sign",
            "All signs are turned round: more score for a key should mean more weight for it, so "
            "the diagonal is positive, and less for the others.",
            lambda p: outer(p, p) - diag(p),
        ),
        Mistake(
            "plus",
            "You add the products where they are to be subtracted: the denominator of the softmax "
            "brings a minus.",
            lambda p: diag(p) + outer(p, p),
        ),
        Mistake(
            "positive_off_diagonal",
            "Off the diagonal your signs are positive. When one score rises, the other weights "
            "must fall, since all of them sum to 1: each column of the matrix sums to 0.",
            _positive_off_diagonal,
        ),
        Mistake(
            "own_score_only",
            "You have the diagonal only: how a weight reacts to its own score. A softmax shares "
            "out one 1, so every weight reacts to every score.",
            lambda p: diag(p * (1 - p)),
        ),
        Mistake(
            "vector",
            "You return one derivative per weight, to its own score. Each weight reacts to every "
            "score, so the answer is a matrix.",
            lambda p: p * (1 - p),
        ),
        Mistake(
            "no_diagonal",
            "The product of weights i and j is there, and on the diagonal the extra term is not: "
            "it is missing or overwritten. A weight should rise with its own score.",
            lambda p: -outer(p, p),
        ),
        Mistake(
            "weights_on_diagonal",
            "You have the weights on the diagonal and nothing else. The denominator of the softmax "
            "depends on every score too.",
            diag,
        ),
        Mistake(
            "first_factor_missing",
            "Your entries are delta_ij minus a weight: the factor in front is missing. "
            "Does the numerator of the softmax survive the derivative?",
            lambda p: _identity(p) - p.unsqueeze(0),
        ),
        Mistake(
            "squares",
            "You subtract the square of a weight from its whole column: in weights * weights and "
            "weights * (a matrix), both factors belong to the column. Off the diagonal stands the "
            "product of two different weights: an outer product.",
            lambda p: diag(p) - p * p,
        ),
        Mistake(
            "dot_product",
            "weights @ weights is one number, the sum of the squares, and you subtract it "
            "everywhere. You need the table of all products: torch.outer.",
            lambda p: diag(p) - p @ p,
        ),
        Mistake(
            "eye_minus_outer",
            "The first term is 1 on your diagonal. It is the weight itself: the numerator of the "
            "softmax survives the derivative.",
            lambda p: _identity(p) - outer(p, p),
        ),
        Mistake(
            "one_everywhere",
            "You have p_i (1 - p_j) everywhere. The 1 belongs to the diagonal only: it is the "
            "derivative of a score by itself.",
            lambda p: p.unsqueeze(1) * (1 - p.unsqueeze(0)),
        ),
        Mistake(
            "softmax_again",
            "You take the softmax of what you are given. The argument holds the weights already, "
            "not the scores.",
            _softmax_again,
        ),
        Mistake(
            "square_missing",
            "Off the diagonal all is right. On it you have the weight alone: the denominator of "
            "the softmax depends on the weight's own score too, and takes its square away.",
            lambda p: diag(p + p**2) - outer(p, p),
        ),
        Mistake(
            "square_twice",
            "On the diagonal you subtract the square of the weight twice: the outer product has it "
            "already.",
            lambda p: diag(p - p**2) - outer(p, p),
        ),
        Mistake(
            "squares_of_row",
            "You subtract the square of a weight from its whole row: both factors have the same "
            "index. Off the diagonal stands the product of two different weights.",
            lambda p: diag(p) - (p * p).unsqueeze(1).expand(len(p), -1),
            also=(lambda p: p.unsqueeze(1) * (_identity(p) - p.unsqueeze(1)),),
        ),
        Mistake(
            "identity",
            "You return the identity: that is the derivative of the weights by themselves, and "
            "here they are to be differentiated by the scores.",
            _identity,
        ),
        Mistake(
            "three_only",
            "You write out the matrix for three weights. There may be any number of them.",
            _of_three,
        ),
        Mistake(
            "half",
            "Half of your matrix is empty: the entries on one side of the diagonal are 0. Does a "
            "loop begin at i instead of 0?",
            lambda p: softmax_jacobian(p).triu(),
            also=(lambda p: softmax_jacobian(p).tril(),),
        ),
        Mistake(
            "complement",
            "Off the diagonal your entries are -p_i (1 - p_j). It is minus the product of the two "
            "weights: the 1 belongs to the diagonal.",
            lambda p: diag(2 * p * (1 - p)) - outer(p, 1 - p),
        ),
    ),
)
