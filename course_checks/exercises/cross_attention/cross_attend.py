"""Lesson 06, exercise 1: queries from one sequence, keys and values from another."""

import math

import torch
from torch import float64, softmax

from course_checks.exercise import Case, Exercise, Mistake, Property, all_of, randn
from course_checks.judge.gradient import OTHER_GRADIENT, detached
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention


def cross_attend(x, memory, w_query, w_key, w_value):
    query = x @ w_query.transpose(-2, -1)  # (..., query_len, head_dim)
    key = memory @ w_key.transpose(-2, -1)  # (..., key_len, head_dim)
    value = memory @ w_value.transpose(-2, -1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (..., query_len, key_len)
    weights = softmax(scores, dim=-1)
    return weights @ value, weights


MISTAKES = """
self_attention: memory @ => x @
    Query, key and value all come from x. That is self-attention: the memory is never read.
memory_alone: x @ w_query -> memory @ w_query
    Query, key and value all come from the memory. It attends to itself, and x asks nothing.
exchanged: x @ w_query -> memory @ w_query && memory @ w_key -> x @ w_key && memory @ w_value -> \
        x @ w_value
    Your memory asks and x answers. The sequence that is being written (x) has the queries; what it
    reads (the memory) has the keys and the values.
value_from_x: memory @ w_value -> x @ w_value
    Your value comes from x. Weight j belongs to token j of the memory, so value j has to come from
    there as well.
key_from_x: memory @ w_key -> x @ w_key
    Your key comes from x, so x matches its queries with its own tokens and then takes the values of
    others.
key_value_exchanged: memory @ w_key -> memory @ w_value && memory @ w_value -> memory @ w_key
    Key and value have changed places: w_key makes the key, w_value the value.
no_scale: / math.sqrt(query.shape[-1]) ->
evidence: largest("weights")
    Your scores are not divided by sqrt(head_dim): the softmax becomes too hard.
only_output_scaled: return weights @ value, weights -> \
        return weights @ value, softmax(query @ key.transpose(-2, -1), dim=-1)
    Your output is right, and the weights that you return are others than those behind it: their
    scores were not divided by sqrt(head_dim).
divided_by_head_dim: math.sqrt(query.shape[-1]) -> query.shape[-1]
    Your scores are divided by head_dim, all in all. It should be its square root, and once: a dot
    product of head_dim numbers has a spread of sqrt(head_dim).
multiplied_by_root: / math.sqrt -> * math.sqrt
evidence: largest("weights")
    Your scores are multiplied by sqrt(head_dim), which makes the softmax harder still. Divide by
    it.
scaled_too_late: / math.sqrt(query.shape[-1]) -> && weights @ value, weights -> \
        weights @ value / math.sqrt(query.shape[-1]), weights / math.sqrt(query.shape[-1])
evidence: row_sum()
    You divide the weights by sqrt(head_dim), after the softmax. They no longer sum to 1: divide the
    scores, before it.
scaled_by_d_model: query.shape[-1] -> x.shape[-1]
    You divide by the square root of x.shape[-1], which is d_model. The scores are dot products of
    queries and keys, of head_dim numbers each: divide by sqrt(head_dim).
scaled_by_d_memory: query.shape[-1] -> memory.shape[-1]
    You divide by the square root of memory.shape[-1]. The scores are dot products of queries and
    keys, of head_dim numbers each: divide by sqrt(head_dim).
scaled_by_key_len: query.shape[-1] -> memory.shape[-2]
    You divide by the square root of the memory's length. A dot product grows with the numbers of
    each key, not with how many keys there are: divide by sqrt(head_dim).
softmax_over_queries: dim=-1 -> dim=-2
evidence: column_sums()
    Your softmax runs over the queries, so the tokens of x compete for each token of the memory.
    Each query shares out its own 1 among the keys: dim=-1.
softmax_over_axis_1: dim=-1 -> dim=1
    Your softmax runs over axis 1. In a matrix these are the keys, but in a batch (batch, query_len,
    key_len) they are the queries. Count from the end: dim=-1.
no_softmax: softmax(scores, dim=-1) -> scores
evidence: row_sum()
    You average with the scores themselves. They may be negative, and their sum is anything: the
    softmax over the keys makes weights of them.
sigmoid: softmax(scores, dim=-1) -> torch.sigmoid(scores)
evidence: row_sum()
    You take a sigmoid of each score in the place of the softmax. Then the keys do not share out one
    unit of weight, and no row sums to 1.
causal: softmax(scores, dim=-1) -> _causal(scores)
    You hide keys behind the query's own place. The memory is another sequence and known as a whole:
    here nothing is hidden.
first_memory_for_all: lambda x, memory, *weights: \
        cross_attend(x, memory[:1].expand(memory.shape) if memory.dim() > 2 else memory, *weights)
    In a batch all your sentences read the first memory. Each has its own: memory (batch, key_len,
    d_memory) @ w_key.T keeps them apart.
value_is_key: memory @ w_value -> memory @ w_key
    You average the keys. They are the titles; what is to be averaged are the values, memory @
    w_value.T.
x_added: _with_x_added
    You add x to the output. A block does that around its attention; the head returns the average of
    the values alone.
output_alone: weights @ value, weights -> weights @ value
    You return the output alone. The weights belong to the answer too: return output, weights.
value_not_projected: weights @ value -> weights @ memory
    You average the tokens of the memory themselves. The value is memory @ w_value.T, and the output
    has its width, head_dim.
scores_returned: return weights @ value, weights -> return weights @ value, scores
    Your output is right, and beside it you return the scores. The weights are what the softmax
    makes of them.
order: weights @ value, weights -> weights, weights @ value
    You return (weights, output). The output comes first.
weights_transposed: return weights @ value, weights -> \
        return weights @ value, weights.transpose(-2, -1)
    Your output is right, and the weights that you return are transposed: a row for each query, a
    column for each key.
"""


def _causal(scores):
    later = torch.ones_like(scores).triu(1) > 0
    return softmax(scores.masked_fill(later, -torch.inf), dim=-1)


def _with_x_added(x, *inputs):
    output, weights = cross_attend(x, *inputs)
    return output + x if output.shape == x.shape else output, weights


def _cases(*sizes, dtype=None):
    """(leading dimensions, query_len, key_len, d_model, features of the memory, head_dim) each."""

    def make(generator):
        for lead, query_len, key_len, d_model, d_memory, head_dim in sizes:
            x = randn(generator, *lead, query_len, d_model)
            memory = randn(generator, *lead, key_len, d_memory)
            widths = (d_model, d_memory, d_memory)
            weights = (1.5 * randn(generator, head_dim, d) / math.sqrt(d) for d in widths)
            yield Case(tuple(part.to(dtype) for part in (x, memory, *weights)))

    return make


TENSORS = ("x", "memory", "w_query", "w_key", "w_value")


EXERCISE = Exercise(
    reference=cross_attend,
    returns={"output": "(..., query_len, head_dim)", "weights": "(..., query_len, key_len)"},
    library=(scaled_dot_product_attention,),
    properties=(
        Property(
            "the weights are those with which each token of x reads the tokens of the memory",
            2,
            _cases(((), 2, 3, 4, 4, 3), ((), 4, 2, 4, 4, 4)),
            only="weights",
        ),
        Property(
            "the output is the average of the memory's values, with these weights",
            1,
            _cases(((), 2, 3, 4, 4, 3), ((), 4, 2, 4, 4, 4)),
            only="output",
        ),
        Property(
            "the same holds when both are equally long, where shapes cannot tell a mistake",
            1,
            _cases(((), 3, 3, 4, 4, 2), ((), 4, 4, 4, 4, 4)),
        ),
        Property(
            "the same holds for batches, for a memory of another width, and in float64",
            1,
            all_of(
                _cases(((2,), 3, 4, 4, 4, 3), ((2, 2), 2, 3, 5, 3, 4)),
                _cases(((), 2, 4, 4, 3, 3), dtype=float64),
            ),
        ),
        Property(
            "gradients reach both sequences and all three matrices",
            1,
            gradient=_cases(((2,), 3, 4, 4, 4, 3)),
        ),
    ),
    stretched="w_query",
    mistakes=(
        MISTAKES,
        detached(*TENSORS),
        Mistake("gradient_cut", OTHER_GRADIENT, "memory @ w_value -> memory.detach() @ w_value"),
    ),
)
