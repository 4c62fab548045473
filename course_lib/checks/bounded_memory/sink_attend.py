"""Lesson 14, exercise 2: a sink as one more key, whose value is nothing."""

import math

import torch
from torch import float32, float64

from course_lib.attention.sinks import attention_with_sink
from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn


def sink_attend(query, key, value, sink):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    more = sink[:, None, None].expand(-1, scores.shape[1], 1)  # one more key for each query
    weights = torch.cat((scores, more), dim=-1).softmax(dim=-1)[..., :-1]
    return weights @ value, weights


# --- wrong versions -----------------------------------------------------------------------------


def _scores(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])


def _weighed(weigh, score=_scores):
    """A version whose weights are ``weigh(scores, sink)``, sink of shape (heads, 1, 1)."""

    def version(query, key, value, sink):
        weights = weigh(score(query, key), sink[:, None, None])
        return weights @ value, weights

    return version


def _softmax_with(scores, extra):
    more = extra.expand(-1, scores.shape[1], 1)
    return torch.cat((scores, more), dim=-1).softmax(dim=-1)[..., :-1]


def _overflows(scores, sink):
    return scores.exp() / (sink.exp() + scores.exp().sum(dim=-1, keepdim=True))


def _sink_has_a_value(index):
    def version(query, key, value, sink):
        weights = sink_attend(query, key, value, sink)[1]
        rest = 1 - weights.sum(dim=-1, keepdim=True)
        return weights @ value + rest * index(value), weights

    return version


def _with_the_sinks_column(query, key, value, sink):
    scores = _scores(query, key)
    more = sink[:, None, None].expand(-1, scores.shape[1], 1)
    weights = torch.cat((scores, more), dim=-1).softmax(dim=-1)
    return weights[..., :-1] @ value, weights


def _in_front(query, key, value, sink):
    """The sink is put in front, and the last key is cut off."""
    scores = _scores(query, key)
    more = sink[:, None, None].expand(-1, scores.shape[1], 1)
    weights = torch.cat((more, scores), dim=-1).softmax(dim=-1)[..., :-1]
    return weights @ value, weights


def _first_cut(query, key, value, sink):
    """The sink is put behind, and the first key is cut off."""
    scores = _scores(query, key)
    more = sink[:, None, None].expand(-1, scores.shape[1], 1)
    weights = torch.cat((scores, more), dim=-1).softmax(dim=-1)[..., 1:]
    return weights @ value, weights


def _as_a_key(query, key, value, sink):
    """A key whose numbers are all the sink."""
    more = sink[:, None, None].expand(-1, 1, key.shape[-1])
    weights = _scores(query, torch.cat((key, more), dim=1)).softmax(dim=-1)[..., :-1]
    return weights @ value, weights


def _all_sinks(query, key, value, sink):
    """The sinks of all heads stand beside the keys of each."""
    scores = _scores(query, key)
    more = sink.expand(*scores.shape[:2], -1)
    weights = torch.cat((scores, more), dim=-1).softmax(dim=-1)[..., : key.shape[1]]
    return weights @ value, weights


def _exchanged(*args):
    return sink_attend(*args)[::-1]


def _plain_weights(query, key, value, sink):
    return sink_attend(query, key, value, sink)[0], _scores(query, key).softmax(dim=-1)


def _plain_output(query, key, value, sink):
    plain = _scores(query, key).softmax(dim=-1)
    return plain @ value, sink_attend(query, key, value, sink)[1]


def _over_queries(scores, sink):
    more = sink.expand(-1, 1, scores.shape[2])
    return torch.cat((scores, more), dim=1).softmax(dim=1)[:, :-1]


def _one_for_all_heads(scores, sink):
    return _softmax_with(scores, sink[:1].expand_as(sink))


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
    lesson="14",
    number=2,
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
        Property("sinks far above and below the scores, large scores, and float64", 1, _far),
    ),
    mistakes=(
        Mistake(
            "sink_ignored",
            "Your weights add up to 1: the sink takes nothing. Its score belongs into the softmax "
            "beside those of the keys, and the share that it takes there is not given back.",
            _weighed(lambda scores, sink: scores.softmax(dim=-1)),
        ),
        Mistake(
            "off_by_one",
            "Your sink has the score 0 in every head: you add 1 to the sum of the exponentials. "
            "Each head has its own, exp(sink).",
            _weighed(lambda scores, sink: _softmax_with(scores, torch.zeros_like(sink))),
        ),
        Mistake(
            "not_an_exponential",
            "You add the sink itself to the sum of the exponentials. It is a score: add exp(sink).",
            _weighed(lambda scores, sink: scores.exp() / (sink + scores.exp().sum(-1, True))),
        ),
        Mistake(
            "scaled_too",
            "You divide the sink by the root of head_dim, with the scores. It is a score already, "
            "and comes behind the scale.",
            lambda query, key, value, sink: sink_attend(
                query, key, value, sink / math.sqrt(query.shape[-1])
            ),
        ),
        Mistake(
            "not_scaled",
            "You do not divide the scores by the root of head_dim.",
            _weighed(_softmax_with, lambda query, key: query @ key.transpose(-2, -1)),
        ),
        Mistake(
            "sign_turned",
            "Your sink takes less where it should take more: its sign is turned.",
            _weighed(lambda scores, sink: _softmax_with(scores, -sink)),
        ),
        Mistake(
            "each_key_alone",
            "Each of your keys competes with the sink alone, by a sigmoid. They all compete "
            "together: one softmax over the keys and the sink.",
            _weighed(lambda scores, sink: (scores - sink).sigmoid()),
        ),
        Mistake(
            "gate",
            "You take an ordinary softmax and multiply it by a sigmoid of the sink: the same share "
            "for every query. The sink competes with the scores, so a query with high scores "
            "leaves it little.",
            _weighed(lambda scores, sink: scores.softmax(dim=-1) * (-sink).sigmoid()),
            also=(_weighed(lambda scores, sink: scores.softmax(dim=-1) * sink.sigmoid()),),
        ),
        Mistake(
            "one_for_all_heads",
            "You use the first head's sink for all heads. Each has its own.",
            _weighed(_one_for_all_heads),
        ),
        Mistake(
            "has_a_value",
            "Your sink has a value, and its share brings that into the output. Its value is zero: "
            "what it takes is lost.",
            _sink_has_a_value(lambda value: torch.ones_like(value[:, :1])),
            also=(
                _sink_has_a_value(lambda value: value[:, :1]),
                _sink_has_a_value(lambda value: value.mean(dim=1, keepdim=True)),
                _sink_has_a_value(lambda value: value[:, -1:]),
            ),
        ),
        Mistake(
            "its_column_too",
            "You return the sink's column with the weights. The weights are those of the real "
            "keys: cut it off.",
            _with_the_sinks_column,
        ),
        Mistake(
            "wrong_column_cut",
            "The column that you cut off is that of a real key, and the sink's stays. Cut off the "
            "sink's: it is first if you put the sink in front, and last if behind.",
            _in_front,
            also=(_first_cut,),
        ),
        Mistake(
            "sink_as_a_key",
            "You put the sink among the keys, and its score depends on the query. The sink is a "
            "score itself, the same for each query: put it beside the scores.",
            _as_a_key,
        ),
        Mistake(
            "sinks_of_all_heads",
            "Beside the keys of each head you put the sinks of all heads. Each head has one sink, "
            "its own.",
            _all_sinks,
        ),
        Mistake(
            "exchanged",
            "You return the weights first. The output comes first, then the weights.",
            _exchanged,
        ),
        Mistake(
            "weights_of_all",
            "Your output is right, but the weights that you return are those of an ordinary "
            "softmax. Return the ones that you mixed with.",
            _plain_weights,
        ),
        Mistake(
            "output_of_all",
            "Your weights are right, but you mixed with those of an ordinary softmax.",
            _plain_output,
        ),
        Mistake(
            "over_queries",
            "Your softmax runs over the queries. Each query has its own sink beside its keys: take "
            "the last dimension.",
            _weighed(_over_queries),
        ),
        Mistake(
            "overflows",
            "You take exponentials of the scores as they are, and they overflow where scores are "
            "large. Put the sink beside the scores and call softmax once, or subtract the largest "
            "of them all first.",
            _weighed(_overflows),
        ),
    ),
)
