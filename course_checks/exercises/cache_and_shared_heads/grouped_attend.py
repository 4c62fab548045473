"""Lesson 13, exercise 3: query heads that share keys and values."""

import math

from course_checks.exercise import TORCH_ATTENTION, Case, Exercise, Property, randn


def grouped_attend(query, key, value):
    group = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(group, dim=1) for t in (key, value))
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return scores.softmax(dim=-1) @ value


MISTAKES = """
in_turns: t.repeat_interleave(group, dim=1) -> t.repeat(1, group, 1, 1)
    Your query heads take the key heads in turns: 0, 1, 0, 1. Heads that share are neighbours:
    repeat_interleave, not repeat or tile.
keys_in_turns: scores = -> key = key[:, ::group].repeat(1, group, 1, 1); scores =
or: return scores -> value = value[:, ::group].repeat(1, group, 1, 1); return scores
    Your keys and your values are repeated in different orders. Both belong together.
first_for_all: t.repeat_interleave(group, dim=1) -> t[:, :1].expand(-1, query.shape[1], -1, -1)
    All your query heads use key head 0. Here each group has a key head of its own.
averaged: t.repeat_interleave(group, dim=1) -> \
        t.mean(dim=1, keepdim=True).expand(-1, query.shape[1], -1, -1)
    You average the key heads and the value heads. Each group keeps its own.
last_for_the_rest: t.repeat_interleave(group, dim=1) -> \
        t[:, [min(i, t.shape[1] - 1) for i in range(query.shape[1])]]
    All but your first query heads use the last key head. Each serves equally many.
backwards: t.repeat_interleave -> t.flip(1).repeat_interleave
    Your groups are in the wrong order: the first query heads use the last key head.
queries_averaged: query @ key -> query.unflatten(1, (-1, group)).mean(2, keepdim=True).expand(-1, \
        -1, group, -1, -1).flatten(1, 2) @ key
    You average the queries of a group. Heads share keys and values; each has its own query.
queries_dropped: query @ key.transpose(-2, -1) -> \
        query[:, : key.shape[1]] @ key.transpose(-2, -1) && \
        group = query.shape[1] // key.shape[1] -> group = 1
    You use as many query heads as there are key heads. Every query head gives an output.
not_scaled: / math.sqrt(query.shape[-1]) ->
    You do not divide the scores by the square root of head_dim.
scaled_by_heads: math.sqrt(query.shape[-1]) -> math.sqrt(query.shape[1] * query.shape[-1])
    You divide by the root of the width of all heads. The scale is that of one head.
softmax_over_queries: softmax(dim=-1) -> softmax(dim=-2)
    Your softmax runs over the queries. Each query's weights add up to 1: the last dimension.
softmax_over_heads: softmax(dim=-1) -> softmax(dim=1)
or: scores.softmax(dim=-1) -> \
        scores.unflatten(1, (-1, group)).softmax(dim=2).flatten(1, 2)
    Your softmax runs over heads. Each head's weights add up to 1 over the keys, the last dimension.
keys_for_values: @ value -> @ key
    You mix the keys. The weights come from the keys, and what they mix are the values.
"""


def _cases(*sizes):
    """(batch, num_heads, num_kv_heads, query_len, key_len, head_dim) each."""

    def make(generator):
        for batch, num_heads, num_kv_heads, query_len, key_len, head_dim in sizes:
            query = randn(generator, batch, num_heads, query_len, head_dim)
            key, value = (randn(generator, batch, num_kv_heads, key_len, head_dim) for _ in "kv")
            yield Case((query, key, value))

    return make


EXERCISE = Exercise(
    reference=grouped_attend,
    returns={"output": "(batch, num_heads, query_len, head_dim)"},
    forbidden=(TORCH_ATTENTION,),
    properties=(
        Property(
            "four query heads share two key heads: 0 and 1 the first, 2 and 3 the second",
            2,
            _cases((1, 4, 2, 2, 3, 2), (2, 4, 2, 3, 5, 4)),
        ),
        Property(
            "groups of three, and three groups", 1, _cases((1, 6, 2, 2, 4, 3), (2, 6, 3, 4, 2, 5))
        ),
        Property(
            "one key head for all, and one for each",
            1,
            _cases((1, 3, 1, 2, 4, 2), (2, 4, 4, 2, 5, 3)),
        ),
    ),
    stretched="query",
    mistakes=MISTAKES,
)
