"""Lesson 06, exercise 1: queries from one sequence, keys and values from another."""

import math

import torch
from torch import float64, sigmoid, softmax

from course_lib.attention.scaled_dot_product import scaled_dot_product_attention
from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.gradient import OTHER_GRADIENT, cut_off, gradient_fault
from course_lib.checks.judge.observations import column_sums, largest, row_sum


def cross_attend(x, memory, w_query, w_key, w_value):
    query = x @ w_query.transpose(-2, -1)  # (..., query_len, head_dim)
    key = memory @ w_key.transpose(-2, -1)  # (..., key_len, head_dim)
    value = memory @ w_value.transpose(-2, -1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (..., query_len, key_len)
    weights = softmax(scores, dim=-1)
    return weights @ value, weights


def _from(of_query, of_key, of_value, scale=True, dim=-1):
    """A version whose query, key and value come from these: 0 is x, 1 is the memory."""

    def version(*inputs):
        sources = zip((of_query, of_key, of_value), inputs[2:], strict=True)
        query, key, value = (inputs[i] @ weight.transpose(-2, -1) for i, weight in sources)
        scores = query @ key.transpose(-2, -1) / (math.sqrt(query.shape[-1]) if scale else 1)
        weights = softmax(scores, dim=dim)
        return weights @ value, weights

    return version


def _divided_by(size):
    """A version whose scores are divided by the root of ``size(x, memory, w_query)``."""

    def version(x, memory, w_query, *others):
        factor = math.sqrt(len(w_query) / size(x, memory, w_query))
        return cross_attend(x, memory, factor * w_query, *others)

    return version


def _weighted(weights_of):
    """A version whose weights are ``weights_of(scores)``."""

    def version(x, memory, w_query, w_key, w_value):
        query, key = x @ w_query.mT, memory @ w_key.mT
        weights = weights_of(query @ key.mT / math.sqrt(len(w_query)))
        return weights @ (memory @ w_value.mT), weights

    return version


def _causal(scores):
    later = torch.ones_like(scores).triu(1) > 0
    return softmax(scores.masked_fill(later, -torch.inf), dim=-1)


def _first_memory(x, memory, *weights):
    return cross_attend(
        x, memory[:1].expand(memory.shape) if memory.dim() > 2 else memory, *weights
    )


def _with_x_added(x, *inputs):
    output, weights = cross_attend(x, *inputs)
    return output + x if output.shape == x.shape else output, weights


def _value_not_projected(x, memory, *weights):
    weights = cross_attend(x, memory, *weights)[1]
    return weights @ memory, weights


def _scores_returned(x, memory, w_query, w_key, w_value):
    query, key = x @ w_query.mT, memory @ w_key.mT
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    return softmax(scores, dim=-1) @ (memory @ w_value.mT), scores


def _only_output_scaled(*inputs):
    return cross_attend(*inputs)[0], _from(0, 1, 1, scale=False)(*inputs)[1]


def _weights_transposed(*inputs):
    output, weights = cross_attend(*inputs)
    return output, weights.transpose(-2, -1)


def _memory_detached(x, memory, w_query, w_key, w_value):
    weights = cross_attend(x, memory, w_query, w_key, w_value)[1]
    return weights @ (memory.detach() @ w_value.mT), weights


def _cases(*sizes, dtype=None):
    """(leading dimensions, query_len, key_len, d_model, features of the memory, head_dim) each."""

    def make(generator):
        made = []
        for lead, query_len, key_len, d_model, d_memory, head_dim in sizes:
            x = randn(generator, *lead, query_len, d_model)
            memory = randn(generator, *lead, key_len, d_memory)
            widths = (d_model, d_memory, d_memory)
            weights = (1.5 * randn(generator, head_dim, d) / math.sqrt(d) for d in widths)
            made.append(Case(tuple(part.to(dtype) for part in (x, memory, *weights))))
        return made

    return make


TENSORS = ("x", "memory", "w_query", "w_key", "w_value")


def _learns(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    return gradient_fault(EXERCISE, function, _cases(((2,), 3, 4, 4, 4, 3))(generator))


EXERCISE = Exercise(
    lesson="06",
    number=1,
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
            lambda generator: (
                _cases(((2,), 3, 4, 4, 4, 3), ((2, 2), 2, 3, 5, 3, 4))(generator)
                + _cases(((), 2, 4, 4, 3, 3), dtype=float64)(generator)
            ),
        ),
        Property("gradients reach both sequences and all three matrices", 1, judge=_learns),
    ),
    mistakes=(
        Mistake(
            "self_attention",
            "Query, key and value all come from x. That is self-attention: the memory is never "
            "read.",
            _from(0, 0, 0),
        ),
        Mistake(
            "memory_alone",
            "Query, key and value all come from the memory. It attends to itself, and x asks "
            "nothing.",
            _from(1, 1, 1),
        ),
        Mistake(
            "exchanged",
            "Your memory asks and x answers. The sequence that is being written (x) has the "
            "queries; what it reads (the memory) has the keys and the values.",
            _from(1, 0, 0),
        ),
        Mistake(
            "value_from_x",
            "Your value comes from x. Weight j belongs to token j of the memory, so value j has to "
            "come from there as well.",
            _from(0, 1, 0),
        ),
        Mistake(
            "key_from_x",
            "Your key comes from x, so x matches its queries with its own tokens and then takes "
            "the values of others.",
            _from(0, 0, 1),
        ),
        Mistake(
            "key_value_exchanged",
            "Key and value have changed places: w_key makes the key, w_value the value.",
            lambda x, memory, w_query, w_key, w_value: cross_attend(
                x, memory, w_query, w_value, w_key
            ),
        ),
        Mistake(
            "no_scale",
            "Your scores are not divided by sqrt(head_dim): the softmax becomes too hard.",
            _from(0, 1, 1, scale=False),
            largest("weights"),
        ),
        Mistake(
            "only_output_scaled",
            "Your output is right, and the weights that you return are others than those behind "
            "it: their scores were not divided by sqrt(head_dim).",
            _only_output_scaled,
        ),
        Mistake(
            "divided_by_head_dim",
            "Your scores are divided by head_dim, all in all. It should be its square root, and "
            "once: a dot product of head_dim numbers has a spread of sqrt(head_dim).",
            _divided_by(lambda x, memory, w_query: len(w_query) ** 2),
        ),
        Mistake(
            "multiplied_by_root",
            "Your scores are multiplied by sqrt(head_dim), which makes the softmax harder still. "
            "Divide by it.",
            _divided_by(lambda x, memory, w_query: 1 / len(w_query)),
            largest("weights"),
        ),
        Mistake(
            "scaled_too_late",
            "You divide the weights by sqrt(head_dim), after the softmax. They no longer sum to 1: "
            "divide the scores, before it.",
            lambda *inputs: tuple(
                part / math.sqrt(len(inputs[2])) for part in _from(0, 1, 1, scale=False)(*inputs)
            ),
            row_sum(),
        ),
        Mistake(
            "scaled_by_d_model",
            "You divide by the square root of x.shape[-1], which is d_model. The scores are dot "
            "products of queries and keys, of head_dim numbers each: divide by sqrt(head_dim).",
            _divided_by(lambda x, memory, w_query: x.shape[-1]),
        ),
        Mistake(
            "scaled_by_d_memory",
            "You divide by the square root of memory.shape[-1]. The scores are dot products of "
            "queries and keys, of head_dim numbers each: divide by sqrt(head_dim).",
            _divided_by(lambda x, memory, w_query: memory.shape[-1]),
        ),
        Mistake(
            "scaled_by_key_len",
            "You divide by the square root of the memory's length. A dot product grows with the "
            "numbers of each key, not with how many keys there are: divide by sqrt(head_dim).",
            _divided_by(lambda x, memory, w_query: memory.shape[-2]),
        ),
        Mistake(
            "softmax_over_queries",
            "Your softmax runs over the queries, so the tokens of x compete for each token of the "
            "memory. Each query shares out its own 1 among the keys: dim=-1.",
            _from(0, 1, 1, dim=-2),
            column_sums(),
        ),
        Mistake(
            "softmax_over_axis_1",
            "Your softmax runs over axis 1. In a matrix these are the keys, but in a batch "
            "(batch, query_len, key_len) they are the queries. Count from the end: dim=-1.",
            _weighted(lambda scores: softmax(scores, dim=1)),
        ),
        Mistake(
            "no_softmax",
            "You average with the scores themselves. They may be negative, and their sum is "
            "anything: the softmax over the keys makes weights of them.",
            _weighted(lambda scores: scores),
            row_sum(),
        ),
        Mistake(
            "sigmoid",
            "You take a sigmoid of each score in the place of the softmax. Then the keys do not "
            "share out one unit of weight, and no row sums to 1.",
            _weighted(sigmoid),
            row_sum(),
        ),
        Mistake(
            "causal",
            "You hide keys behind the query's own place. The memory is another sequence and known "
            "as a whole: here nothing is hidden.",
            _weighted(_causal),
        ),
        Mistake(
            "first_memory_for_all",
            "In a batch all your sentences read the first memory. Each has its own: "
            "memory (batch, key_len, d_memory) @ w_key.T keeps them apart.",
            _first_memory,
        ),
        Mistake(
            "value_is_key",
            "You average the keys. They are the titles; what is to be averaged are the values, "
            "memory @ w_value.T.",
            lambda x, memory, w_query, w_key, w_value: cross_attend(
                x, memory, w_query, w_key, w_key
            ),
        ),
        Mistake(
            "x_added",
            "You add x to the output. A block does that around its attention; the head returns the "
            "average of the values alone.",
            _with_x_added,
        ),
        Mistake(
            "output_alone",
            "You return the output alone. The weights belong to the answer too: return output, "
            "weights.",
            lambda *inputs: cross_attend(*inputs)[0],
        ),
        Mistake(
            "value_not_projected",
            "You average the tokens of the memory themselves. The value is memory @ w_value.T, and "
            "the output has its width, head_dim.",
            _value_not_projected,
        ),
        Mistake(
            "scores_returned",
            "Your output is right, and beside it you return the scores. The weights are what the "
            "softmax makes of them.",
            _scores_returned,
        ),
        Mistake(
            "order",
            "You return (weights, output). The output comes first.",
            lambda *inputs: cross_attend(*inputs)[::-1],
        ),
        Mistake(
            "weights_transposed",
            "Your output is right, and the weights that you return are transposed: a row for each "
            "query, a column for each key.",
            _weights_transposed,
        ),
        Mistake(
            "cut_off",
            cut_off(*TENSORS),
            lambda *inputs: tuple(part.detach() for part in cross_attend(*inputs)),
        ),
        Mistake(
            "gradient_cut",
            OTHER_GRADIENT,
            _memory_detached,
        ),
    ),
)
