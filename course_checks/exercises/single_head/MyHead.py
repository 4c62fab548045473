"""Lesson 02, exercise 6: one head as a class, the first step of the student's own attention."""

import math

import torch
from torch import float64, nn, softmax

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.own_class import HUGE, concluded, numbers_for, observe_class, stretched
from course_lib.attention.single_head import SingleHead


class MyHead(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        self.q_proj = nn.Linear(d_model, head_dim, bias=False)
        self.k_proj = nn.Linear(d_model, head_dim, bias=False)
        self.v_proj = nn.Linear(d_model, head_dim, bias=False)

    def forward(self, x):
        query, key, value = self.q_proj(x), self.k_proj(x), self.v_proj(x)  # (..., T, head_dim)
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        weights = softmax(scores, dim=-1)  # (..., T, T)
        return weights @ value, weights


MISTAKES = """
not_registered: _Plain
    Your module knows none of the three matrices. It looks for parameters in nn.Linear, nn.Parameter
    and other modules that you assign to self; a plain tensor, a list, or a layer made in forward it
    does not see, and an optimiser never hears of it.
one_projection: self.v_proj = nn -> self.q_proj = self.k_proj = self.v_proj = nn
    Query, key and value are made by one and the same layer. Make three: each has numbers of its
    own.
two_are_one: tied(MyHead, "v_proj", "k_proj") || tied(MyHead, "v_proj", "q_proj") || \
        tied(MyHead, "k_proj", "q_proj")
    Two of your projections are one and the same layer. Make three: each has numbers of its own.
with_bias: , bias=False =>
    Your projections have a bias: that is what nn.Linear does by itself. Here they have none:
    bias=False.
no_scale: / math.sqrt(query.shape[-1]) ->
evidence: largest("weights")
    Your scores are not divided by sqrt(head_dim): the softmax becomes too hard.
scaled_by_d_model: query.shape[-1] -> x.shape[-1]
evidence: largest("weights")
    You divide the scores by sqrt(d_model). The dot product runs over head_dim numbers, and that is
    what the scale has to undo.
whole_root: math.sqrt(query.shape[-1]) -> math.isqrt(query.shape[-1])
    math.isqrt rounds the root down to a whole number. math.sqrt does not.
no_square_root: math.sqrt(query.shape[-1]) -> query.shape[-1]
evidence: largest("weights")
    You divide by head_dim without the square root. The scores become too small and the weights too
    even.
softmax_over_queries: dim=-1 -> dim=-2
evidence: column_sums()
    Your softmax runs over the queries instead of the keys: it is the rows that have to sum to 1.
dimension_one: dim=-1 -> dim=1
    Your softmax runs over dimension 1. That is right for a matrix; with a batch in front, dimension
    1 belongs to the queries. Count from the end: dim=-1.
no_softmax: softmax(scores, dim=-1) -> scores
evidence: row_sum()
    Your weights are the scores themselves: the softmax is missing.
overflows: softmax(scores, dim=-1) -> scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
    You take exp of the scores as they are, and it overflows. torch.softmax subtracts the largest
    score first.
query_key_exchanged: query @ key.transpose -> key @ query.transpose
    Query and key have changed places: row i should belong to the query of token i.
value_is_x: weights @ value -> weights @ x
    Your weights are right, and your output averages the tokens themselves: x has to pass through
    v_proj first.
value_from_key: weights @ value -> weights @ key
    Your weights are right, and your output averages the keys. It is the values that are averaged.
swapped: weights @ value, weights -> weights, weights @ value
    The two answers are in the other order: the output comes first, then the weights.
output_alone: weights @ value, weights -> weights @ value
    Your forward returns the output alone. Whoever looks into a head needs its weights too: return
    both.
cut_off: weights @ value, weights -> (weights @ value).detach(), weights
    The numbers are right, but no gradient reaches the three matrices and x, so the head can never
    learn: detach, .data and no_grad cut it off.
"""


def _shapes(d_model, head_dim):
    names = ("q_proj.weight", "k_proj.weight", "v_proj.weight")
    return dict.fromkeys(names, (head_dim, d_model))


def observe(build, d_model, head_dim, numbers, x, with_gradients):
    """What the module computes with these numbers in its parameters, by part."""
    sizes = d_model, head_dim
    return observe_class(build, sizes, _shapes(*sizes), numbers, x, with_gradients)


class _Plain(nn.Module):
    """Tensors that no module knows of."""

    def __init__(self, d_model, head_dim):
        super().__init__()
        self.matrices = [torch.randn(head_dim, d_model) for _ in range(3)]

    def forward(self, x):
        query, key, value = (x @ matrix.T for matrix in self.matrices)
        weights = softmax(query @ key.mT / math.sqrt(query.shape[-1]), dim=-1)
        return weights @ value, weights


def _cases(*shapes, dtype=torch.float32, with_gradients=False, stretch=1.0):
    """From the shape of x and head_dim."""

    def cases(generator):
        for shape, head_dim in shapes:
            numbers = numbers_for(generator, _shapes(shape[-1], head_dim), dtype, stretch)
            x = randn(generator, *shape, dtype=dtype)
            kind = "" if dtype == torch.float32 else f" and dtype {dtype}"
            label = f"d_model {shape[-1]}, head_dim {head_dim} and x of shape {shape}{kind}"
            label += stretched(stretch)
            args = (shape[-1], head_dim, numbers, x, with_gradients)
            yield Case(args, label=label)

    return cases


FIRST = (((3, 4), 2), ((3, 4), 4), ((4, 8), 3))

EXERCISE = Exercise(
    reference=MyHead,
    returns={
        "output": "(..., seq_len, head_dim)",
        "weights": "(..., seq_len, seq_len)",
        "use": "what is wrong with its use later, or nothing",
        "gradients": "all gradients, in one row",
    },
    observe=observe,
    conclude=concluded,
    observed_with=("numbers", "x", "with_gradients"),
    library=(SingleHead.forward,),
    properties=(
        Property(
            "the weights are the softmax of query times key over sqrt(head_dim)",
            2,
            _cases(*FIRST),
            "weights",
        ),
        Property(
            "the output is the values, averaged with these weights", 1, _cases(*FIRST), "output"
        ),
        Property(
            "the same holds with leading dimensions, in float64, with scores of any size, and for "
            "one text after another",
            1,
            all_of(
                _cases(((2, 3, 4), 2), ((1, 1, 3), 2), ((2, 2, 3, 5), 5)),
                _cases(((3, 4), 2), dtype=float64),
                _cases(((2, 5, 4), 3), stretch=30),
                _cases(((2, 5, 4), 3), stretch=HUGE),
            ),
        ),
        Property(
            "gradients reach the tokens and all three matrices",
            1,
            _cases(((2, 3, 4), 2), with_gradients=True),
            "gradients",
        ),
    ),
    mistakes=MISTAKES,
)
