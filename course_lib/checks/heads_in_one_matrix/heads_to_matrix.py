"""Lesson 04, exercise 4: the projections of separate heads in one matrix."""

import torch
from torch import cat, float64, nn, stack

from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.model.conversion import merge_heads


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


def _reshaped_transposed(weights):
    rows = cat(weights)
    return rows.transpose(0, 1).reshape(rows.shape)


def _averaged(heads):
    weight = stack([head.weight for head in heads]).mean(dim=0)
    return weight, stack([head.bias for head in heads]).mean(dim=0)


def _new_layer(heads):
    return nn.Linear(heads[0].in_features, sum(head.out_features for head in heads))


def _new_numbers(heads):
    layer = _new_layer(heads)
    return layer.weight, layer.bias


def _last_rows_lost(heads):
    return cat([head.weight[:-1] for head in heads]), cat([head.bias[:-1] for head in heads])


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
            _cases((2, 2, 3), (3, 2, 5), (4, 2, 3)),
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
    mistakes=(
        Mistake(
            "side_by_side",
            "You put the weights side by side. In torch.nn.Linear a row of the weight makes one "
            "output, and each row reads the whole input: more heads are more rows, so the weights "
            "go one below the other.",
            _with_weight(lambda weights: cat(weights, dim=1)),
        ),
        Mistake(
            "stacked",
            "Your weight still has a dimension for the heads. torch.stack adds a dimension; one "
            "matrix for all heads has none, (num_heads * head_dim, d_model): torch.cat.",
            _stacked,
        ),
        Mistake(
            "interleaved",
            "Your rows are interleaved: row 0 of each head, then row 1 of each head. The split "
            "gives head 0 the first head_dim outputs, so its rows have to come first, all of them.",
            _both_interleaved,
        ),
        Mistake(
            "transposed",
            "Your weight is transposed: that is W as the papers write it, d_model rows. "
            "torch.nn.Linear stores (out_features, in_features).",
            _with_weight(lambda weights: cat(weights).transpose(0, 1)),
        ),
        Mistake(
            "order_reversed",
            "Your heads come in reversed order: head 0 should be on top.",
            lambda heads: heads_to_matrix(heads[::-1]),
        ),
        Mistake(
            "biases_added",
            "Your weight is right, and you add up the biases. Each output keeps its own: they are "
            "joined just like the rows.",
            _with_bias(lambda biases: stack(biases).sum(dim=0)),
            also=(_with_bias(lambda biases: stack(biases).sum(dim=0).repeat(len(biases))),),
        ),
        Mistake(
            "bias_of_first",
            "Your weight is right, and every head gets the bias of head 0.",
            _with_bias(lambda biases: biases[0].repeat(len(biases))),
        ),
        Mistake(
            "bias_forgotten",
            "Your weight is right, and your bias is zero: the heads have one, and it has to move "
            "along.",
            _with_bias(lambda biases: torch.zeros_like(cat(biases))),
        ),
        Mistake(
            "bias_stacked",
            "Your weight is right, and your bias still has a dimension for the heads. It should be "
            "one row of numbers: torch.cat.",
            _with_bias(stack),
        ),
        Mistake(
            "bias_interleaved",
            "Your weight is right, and your bias is interleaved: number 0 of each head, then "
            "number 1 of each head. The biases are joined just like the rows.",
            _with_bias(_interleaved),
        ),
        Mistake(
            "weights_reversed",
            "Your bias is right, and the rows of your weight come in reversed order: the last head "
            "is on top. Both should begin with head 0.",
            _with_weight(lambda weights: cat(weights[::-1])),
        ),
        Mistake(
            "each_transposed",
            "You turn each weight round before you join them. torch.nn.Linear stores "
            "(out_features, in_features) on both sides: join the rows as they are.",
            _with_weight(lambda weights: cat([weight.transpose(0, 1) for weight in weights])),
        ),
        Mistake(
            "reshaped_transposed",
            "Your weight is transposed and then reshaped until the shape was right. A reshape does "
            "not turn a matrix round, it only counts through its numbers: leave out both.",
            _with_weight(_reshaped_transposed),
        ),
        Mistake(
            "averaged",
            "You average the heads. Each keeps its own rows and its own biases: they are joined.",
            _averaged,
        ),
        Mistake(
            "first_head_only",
            "You return the first head alone. Go through all of them.",
            lambda heads: (heads[0].weight, heads[0].bias),
        ),
        Mistake(
            "three_heads",
            "You join three heads in every case. There are len(heads) of them.",
            lambda heads: (
                cat([heads[i].weight for i in range(3)]),
                cat([heads[i].bias for i in range(3)]),
            ),
        ),
        Mistake(
            "last_rows_lost",
            "The last row of each head is missing. A slice ends before its end: weight[: head_dim] "
            "is all of it.",
            _last_rows_lost,
        ),
        Mistake(
            "new_numbers",
            "You make a new torch.nn.Linear of the right shape and return the random numbers with "
            "which it began. It has to be filled with the numbers of the heads.",
            _new_numbers,
        ),
        Mistake(
            "a_layer",
            "You return a layer. Its two tensors are asked for: (weight, bias).",
            _new_layer,
        ),
        Mistake(
            "weight_alone",
            "You return the weight alone. The biases of the heads have to move along: return "
            "(weight, bias).",
            lambda heads: heads_to_matrix(heads)[0],
        ),
        Mistake(
            "swapped",
            "The two answers are in the other order: the weight comes first.",
            lambda heads: heads_to_matrix(heads)[::-1],
        ),
    ),
)
