"""Lesson 14, exercise 2: a sink as one more key, whose value is nothing."""

import math

import torch
from torch import float32, float64

from course_checks.exercise import Case, Exercise, Property, randn
from course_checks.judge.gradient import detached
from course_lib.attention.sinks import attention_with_sink


def sink_attend(query, key, value, sink):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    more = sink[:, None, None].expand(-1, scores.shape[1], 1)  # one more key for each query
    weights = torch.cat((scores, more), dim=-1).softmax(dim=-1)[..., :-1]
    return weights @ value, weights


MISTAKES = """
sink_ignored: torch.cat((scores, more), dim=-1).softmax(dim=-1)[..., :-1] -> scores.softmax(dim=-1)
    Your weights add up to 1: the sink takes nothing. Its score belongs into the softmax beside
    those of the keys, and its share is not given back.
off_by_one: sink[:, None, None] -> (0 * sink)[:, None, None]
    Your sink has the score 0 in every head. Each head has its own, exp(sink).
not_an_exponential: torch.cat((scores, more), dim=-1).softmax(dim=-1)[..., :-1] -> \
        scores.exp() / (sink[:, None, None] + scores.exp().sum(-1, True))
or: torch.cat((scores, more), dim=-1).softmax(dim=-1)[..., :-1] -> \
        (scores - scores.amax(-1, True)).exp() / \
        (more + (scores - scores.amax(-1, True)).exp().sum(-1, True))
    You add the sink itself to the sum of the exponentials. It is a score: add exp(sink).
scaled_too: sink[:, None, None] -> (sink / math.sqrt(query.shape[-1]))[:, None, None]
    You divide the sink by the root of head_dim too. It is a score already, behind the scale.
not_scaled: / math.sqrt(query.shape[-1]) ->
    You do not divide the scores by the root of head_dim.
sign_turned: sink[:, None, None] -> -sink[:, None, None]
    Your sink takes less where it should take more: its sign is turned.
each_key_alone: torch.cat((scores, more), dim=-1).softmax(dim=-1)[..., :-1] -> \
        (scores - more).sigmoid()
    Each of your keys competes with the sink alone. They compete together: one softmax over all.
gate: torch.cat((scores, more), dim=-1).softmax(dim=-1)[..., :-1] -> \
        scores.softmax(dim=-1) * (-more).sigmoid() || scores.softmax(dim=-1) * more.sigmoid()
    You multiply an ordinary softmax by a sigmoid of the sink, the same for every query. The sink
    competes with the scores: high ones leave it little.
one_for_all_heads: sink[:, None, None] -> sink[:1, None, None].expand(len(sink), 1, 1)
    You use the first head's sink for all heads. Each has its own.
has_a_value: weights @ value -> weights @ value + (1 - weights.sum(dim=-1, keepdim=True))
or: weights @ value -> weights @ value + (1 - weights.sum(dim=-1, keepdim=True)) * value[:, :1]
or: weights @ value -> \
        weights @ value + (1 - weights.sum(dim=-1, keepdim=True)) * value.mean(dim=1, keepdim=True)
or: weights @ value -> weights @ value + (1 - weights.sum(dim=-1, keepdim=True)) * value[:, -1:]
    Your sink has a value, and its share brings that into the output. Its value is zero.
its_column_too: [..., :-1] -> && weights @ value -> weights[..., :-1] @ value
    You return the sink's column with the weights. Cut it off: they are those of the real keys.
wrong_column_cut: (scores, more) -> (more, scores) || [..., :-1] -> [..., 1:]
    The column that you cut off is a real key's. Cut off the sink's: first if you put the sink in
    front, last if behind.
sink_as_a_key: key.transpose -> \
        torch.cat((key, sink[:, None, None].expand(-1, 1, key.shape[-1])), dim=1).transpose && \
        torch.cat((scores, more), dim=-1).softmax -> scores.softmax
    You put the sink among the keys, and its score depends on the query. It is a score itself: put
    it beside the scores.
sinks_of_all_heads: sink[:, None, None].expand(-1, scores.shape[1], 1) -> \
        sink.expand(*scores.shape[:2], -1) && [..., :-1] -> [..., : key.shape[1]]
    Beside the keys of each head you put the sinks of all heads. Each head has its own.
exchanged: weights @ value, weights -> weights, weights @ value
    You return the weights first. The output comes first, then the weights.
weights_of_all: weights @ value, weights -> weights @ value, scores.softmax(dim=-1)
or: weights @ value -> scores.softmax(dim=-1) @ value
    One of your two answers comes from an ordinary softmax. Return the weights that you mixed with.
over_queries: expand(-1, scores.shape[1], 1) -> expand(-1, 1, scores.shape[2]) && \
        dim=-1).softmax(dim=-1)[..., :-1] -> dim=1).softmax(dim=1)[:, :-1]
    Your softmax runs over the queries. Each query has its own sink: take the last dimension.
overflows: torch.cat((scores, more), dim=-1).softmax(dim=-1)[..., :-1] -> \
        scores.exp() / (more.exp() + scores.exp().sum(dim=-1, keepdim=True))
    You take exponentials of the scores as they are, and they overflow. Put the sink beside the
    scores and call softmax once.
cut_to_the_query: weights @ value, weights -> (weights @ value)[..., : query.shape[-1]], weights
    You cut the output to the width of the query. It is as wide as the values are.
scaled_by_the_values: math.sqrt(query.shape[-1]) -> math.sqrt(value.shape[-1])
    You divide by the root of the values' width. It is that of head_dim, the queries' width.
"""


def _cases(*sizes, dtype=float32):
    """(heads, query_len, key_len, head_dim, value_dim) each."""

    def make(generator):
        cases = []
        for heads, query_len, key_len, head_dim, value_dim in sizes:
            query = randn(generator, heads, query_len, head_dim, dtype=dtype)
            key = randn(generator, heads, key_len, head_dim, dtype=dtype)
            value = randn(generator, heads, key_len, value_dim, dtype=dtype)
            sink = randn(generator, heads, dtype=dtype) + 0.5
            cases.append(Case((query, key, value, sink)))
        return cases

    return make


def _far(generator):
    """A sink that takes nearly all, nearly nothing, scores that overflow, and float64."""
    cases = _cases((2, 2, 3, 4, 2), dtype=float64)(generator)
    for shift, factor, label in (
        (8.0, 1.0, "sinks near 8"),
        (-8.0, 1.0, "sinks near -8"),
        (130.0, 40.0, "scores and sinks far above 100"),
    ):
        (case,) = _cases((2, 3, 4, 4, 2))(generator)
        query, key, value, sink = case.args
        query = query if factor == 1 else factor * query.abs() + 10
        key = key if factor == 1 else key.abs() + 2
        cases.append(Case((query, key, value, sink + shift), label=label))
    return cases


EXERCISE = Exercise(
    reference=sink_attend,
    returns={"output": "(heads, query_len, value_dim)", "weights": "(heads, query_len, key_len)"},
    library=(attention_with_sink,),
    properties=(
        Property(
            "the weights leave the sink's share free",
            2,
            _cases((1, 2, 2, 4, 2), (2, 3, 4, 4, 3), (3, 2, 5, 6, 4)),
            "weights",
        ),
        Property(
            "the output is the mix of the real values by these weights",
            2,
            _cases((1, 1, 2, 2, 3), (2, 3, 4, 4, 5), (3, 4, 2, 3, 2)),
        ),
        Property(
            "sinks far above and below the scores, large scores, float64, and gradients, also to "
            "the sinks",
            1,
            _far,
            gradient=_cases((2, 3, 4, 4, 2)),
        ),
    ),
    stretched="query",
    mistakes=(MISTAKES, detached("query", "key", "value", "sink")),
)
