"""Lesson 04, exercise 4: the projections of separate heads in one matrix."""

import torch
from torch import cat, float64, nn, stack

from course_lib.checks.exercise import Case, Exercise, Mutant, Property, randn
from course_lib.conversion import merge_heads


def heads_to_matrix(heads):
    weight = cat([head.weight for head in heads])  # (num_heads * head_dim, d_model)
    return weight, cat([head.bias for head in heads])


def _with_weight(weight_of):
    """A version with the right bias and ``weight_of(list of weights)``."""
    return lambda heads: (weight_of([head.weight for head in heads]), heads_to_matrix(heads)[1])


def _with_bias(bias_of):
    """A version with the right weight and ``bias_of(list of biases)``."""
    return lambda heads: (heads_to_matrix(heads)[0], bias_of([head.bias for head in heads]))


def _interleaved(parts):
    return stack(parts, dim=1).flatten(0, 1)


def _both_interleaved(heads):
    return _interleaved([h.weight for h in heads]), _interleaved([h.bias for h in heads])


def _stacked(heads):
    return stack([head.weight for head in heads]), stack([head.bias for head in heads])


@torch.no_grad()
def _heads(generator, num_heads, head_dim, d_model, dtype=None):
    heads = nn.ModuleList(nn.Linear(d_model, head_dim, dtype=dtype) for _ in range(num_heads))
    for head in heads:
        head.weight.copy_(randn(generator, head_dim, d_model))
        head.bias.copy_(randn(generator, head_dim))
    return heads


def _cases(*sizes, dtype=None):
    """(num_heads, head_dim, d_model) each."""

    def make(generator):
        words = "num_heads = {}, head_dim = {}, d_model = {}"
        return [
            Case((_heads(generator, *size, dtype),), None, words.format(*size)) for size in sizes
        ]

    return make


EXERCISE = Exercise(
    lesson="04",
    number=4,
    reference=heads_to_matrix,
    returns={"weight": "(num_heads * head_dim, d_model)", "bias": "(num_heads * head_dim,)"},
    library=(merge_heads,),
    properties=(
        Property(
            "the one weight makes the outputs of all heads, side by side",
            2,
            _cases((2, 2, 3), (3, 2, 5)),
            only="weight",
        ),
        Property(
            "the same holds where num_heads * head_dim equals d_model, and for one head",
            1,
            _cases((2, 2, 4), (3, 3, 9), (1, 3, 3)),
            only="weight",
        ),
        Property(
            "the one bias holds the biases of all heads in the same order",
            1,
            lambda generator: (
                _cases((2, 2, 3), (3, 2, 5))(generator)
                + _cases((2, 3, 4), dtype=float64)(generator)
            ),
            only="bias",
        ),
    ),
    mutants=(
        Mutant(
            "side_by_side",
            "You put the weights side by side. In torch.nn.Linear a row of the weight makes one "
            "output, and each row reads the whole input: more heads are more rows, so the weights "
            "go one below the other.",
            _with_weight(lambda weights: cat(weights, dim=1)),
        ),
        Mutant(
            "stacked",
            "Your weight still has a dimension for the heads. torch.stack adds a dimension; one "
            "matrix for all heads has none, (num_heads * head_dim, d_model): torch.cat.",
            _stacked,
        ),
        Mutant(
            "interleaved",
            "Your rows are interleaved: row 0 of each head, then row 1 of each head. The split "
            "gives head 0 the first head_dim outputs, so its rows have to come first, all of them.",
            _both_interleaved,
        ),
        Mutant(
            "transposed",
            "Your weight is transposed: that is W as the papers write it, d_model rows. "
            "torch.nn.Linear stores (out_features, in_features).",
            _with_weight(lambda weights: cat(weights).transpose(0, 1)),
        ),
        Mutant(
            "order_reversed",
            "Your heads come in reversed order: head 0 should be on top.",
            lambda heads: heads_to_matrix(heads[::-1]),
        ),
        Mutant(
            "biases_added",
            "Your weight is right, and you add up the biases. Each output keeps its own: they are "
            "joined just like the rows.",
            _with_bias(lambda biases: stack(biases).sum(dim=0)),
        ),
        Mutant(
            "bias_of_first",
            "Your weight is right, and every head gets the bias of head 0.",
            _with_bias(lambda biases: biases[0].repeat(len(biases))),
        ),
        Mutant(
            "bias_forgotten",
            "Your weight is right, and your bias is zero: the heads have one, and it has to move "
            "along.",
            _with_bias(lambda biases: torch.zeros_like(cat(biases))),
        ),
    ),
)
