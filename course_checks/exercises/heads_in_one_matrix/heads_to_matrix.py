"""Lesson 04, exercise 4: the projections of separate heads in one matrix."""

import torch
from torch import cat, float64, nn, stack

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_lib.model.conversion import merge_heads


def heads_to_matrix(heads):
    weight = cat([head.weight for head in heads])  # (num_heads * head_dim, d_model)
    return weight, cat([head.bias for head in heads])


MISTAKES = """
side_by_side: cat([head.weight for head in heads]) -> cat([head.weight for head in heads], dim=1)
    You put the weights side by side. In torch.nn.Linear a row of the weight makes one output, and
    each row reads the whole input: more heads are more rows, so the weights go one below the other.
stacked: cat => torch.stack
    Your weight still has a dimension for the heads. torch.stack adds a dimension; one matrix for
    all heads has none, (num_heads * head_dim, d_model): torch.cat.
interleaved: cat => _interleaved
    Your rows are interleaved: row 0 of each head, then row 1 of each head. The split gives head 0
    the first head_dim outputs, so its rows have to come first, all of them.
transposed: return weight -> return weight.transpose(0, 1)
    Your weight is transposed: that is W as the papers write it, d_model rows. torch.nn.Linear
    stores (out_features, in_features).
order_reversed: lambda heads: heads_to_matrix(heads[::-1])
    Your heads come in reversed order: head 0 should be on top.
biases_added: cat([head.bias for head in heads]) -> sum(head.bias for head in heads)
or: cat([head.bias for head in heads]) -> sum(head.bias for head in heads).repeat(len(heads))
    Your weight is right, and you add up the biases. Each output keeps its own: they are joined just
    like the rows.
bias_of_first: cat([head.bias for head in heads]) -> heads[0].bias.repeat(len(heads))
    Your weight is right, and every head gets the bias of head 0.
bias_forgotten: cat([head.bias for head in heads]) -> torch.zeros(len(weight), dtype=weight.dtype)
    Your weight is right, and your bias is zero: the heads have one, and it has to move along.
bias_stacked: return weight, cat -> return weight, torch.stack
    Your weight is right, and your bias still has a dimension for the heads. It should be one row of
    numbers: torch.cat.
bias_interleaved: return weight, cat -> return weight, _interleaved
    Your weight is right, and your bias is interleaved: number 0 of each head, then number 1 of each
    head. The biases are joined just like the rows.
weights_reversed: head.weight for head in heads -> head.weight for head in heads[::-1]
    Your bias is right, and the rows of your weight come in reversed order: the last head is on top.
    Both should begin with head 0.
each_transposed: head.weight -> head.weight.transpose(0, 1)
    You turn each weight round before you join them. torch.nn.Linear stores (out_features,
    in_features) on both sides: join the rows as they are.
reshaped_transposed: return weight -> return weight.transpose(0, 1).reshape(weight.shape)
    Your weight is transposed and then reshaped until the shape was right. A reshape does not turn a
    matrix round, it only counts through its numbers: leave out both.
averaged: lambda heads: \
        tuple(sum(parts) / len(heads) for parts in zip(*(head.parameters() for head in heads)))
    You average the heads. Each keeps its own rows and its own biases: they are joined.
first_head_only: lambda heads: (heads[0].weight, heads[0].bias)
    You return the first head alone. Go through all of them.
three_heads: lambda heads: \
        (cat([heads[i].weight for i in range(3)]), cat([heads[i].bias for i in range(3)]))
    You join three heads in every case. There are len(heads) of them.
last_rows_lost: head.weight -> head.weight[:-1] && head.bias -> head.bias[:-1]
    The last row of each head is missing. A slice ends before its end: weight[: head_dim] is all of
    it.
new_numbers: _new_numbers
    You make a new torch.nn.Linear of the right shape and return the random numbers with which it
    began. It has to be filled with the numbers of the heads.
a_layer: _new_layer
    You return a layer. Its two tensors are asked for: (weight, bias).
weight_alone: , cat([head.bias for head in heads]) ->
    You return the weight alone. The biases of the heads have to move along: return (weight, bias).
swapped: return weight, cat([head.bias for head in heads]) -> \
        return cat([head.bias for head in heads]), weight
    The two answers are in the other order: the weight comes first.
"""


def _interleaved(parts):
    return stack(parts, dim=1).flatten(0, 1)


def _new_layer(heads):
    return nn.Linear(heads[0].in_features, sum(head.out_features for head in heads))


def _new_numbers(heads):
    layer = _new_layer(heads)
    return layer.weight, layer.bias


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
            all_of(_cases((2, 2, 3), (3, 2, 5)), _cases((2, 3, 4), dtype=float64)),
            only="bias",
        ),
    ),
    mistakes=MISTAKES,
)
