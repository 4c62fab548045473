"""Lesson 13, exercise 3: query heads that share keys and values."""

import math

import torch.nn.functional as F

from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn


def grouped_attend(query, key, value):
    group = query.shape[1] // key.shape[1]
    key, value = (t.repeat_interleave(group, dim=1) for t in (key, value))
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return scores.softmax(dim=-1) @ value


# --- wrong versions -----------------------------------------------------------------------------


def _neighbours(x, count):
    return x.repeat_interleave(count // x.shape[1], dim=1)


def _in_turns(x, count):
    return x.repeat(1, count // x.shape[1], 1, 1)


def _first_alone(x, count):
    return x[:, :1].expand(-1, count, -1, -1)


def _averaged(x, count):
    return x.mean(dim=1, keepdim=True).expand(-1, count, -1, -1)


def _one_each_then_the_last(x, count):
    return x[:, [min(i, x.shape[1] - 1) for i in range(count)]]


def _backwards(x, count):
    return _neighbours(x.flip(1), count)


def _grouped_attend_with(
    of_keys=_neighbours,
    of_values=None,
    scale=lambda query, key: 1 / math.sqrt(query.shape[-1]),
    dim=-1,
    asks=lambda query, groups: query,
):
    """A version in which key heads are given to query heads in another way."""

    def version(query, key, value):
        count = query.shape[1]
        asked, k = asks(query, key.shape[1]), of_keys(key, count)
        v = (of_values or of_keys)(value, count)
        scores = asked @ k.transpose(-2, -1) * scale(query, key)
        return scores.softmax(dim=dim) @ v

    return version


def _mean_query(query, groups):
    grouped = query.unflatten(1, (groups, -1))
    return grouped.mean(dim=2, keepdim=True).expand_as(grouped).flatten(1, 2)


def _first_queries_alone(query, key, value):
    output = query[:, : key.shape[1]] @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return output.softmax(dim=-1) @ value


def _cases(*sizes):
    """(batch, num_heads, num_kv_heads, query_len, key_len, head_dim) each."""

    def make(generator):
        cases = []
        for batch, num_heads, num_kv_heads, query_len, key_len, head_dim in sizes:
            query = randn(generator, batch, num_heads, query_len, head_dim)
            key, value = (randn(generator, batch, num_kv_heads, key_len, head_dim) for _ in "kv")
            cases.append(Case((query, key, value)))
        return cases

    return make


EXERCISE = Exercise(
    lesson="13",
    number=3,
    reference=grouped_attend,
    returns={"output": "(batch, num_heads, query_len, head_dim)"},
    forbidden=(
        (
            F,
            "scaled_dot_product_attention",
            "Your function calls torch's scaled_dot_product_attention, which can share heads "
            "itself. Write it yourself here.",
        ),
    ),
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
            _cases((1, 3, 1, 2, 4, 2), (2, 3, 3, 2, 5, 4)),
        ),
    ),
    mistakes=(
        Mistake(
            "in_turns",
            "Your query heads take the key heads in turns: 0, 1, 0, 1. Heads that share are "
            "neighbours: 0, 0, 1, 1. repeat_interleave does that, repeat and tile do not.",
            _grouped_attend_with(_in_turns),
        ),
        Mistake(
            "values_in_turns",
            "Your keys go to neighbouring query heads, but your values in turns. Both belong "
            "together: the same order for both.",
            _grouped_attend_with(_neighbours, _in_turns),
        ),
        Mistake(
            "keys_in_turns",
            "Your values go to neighbouring query heads, but your keys in turns. Both belong "
            "together: the same order for both.",
            _grouped_attend_with(_in_turns, _neighbours),
        ),
        Mistake(
            "first_for_all",
            "All your query heads use key head 0. That is multi-query attention; here each group "
            "has a key head of its own.",
            _grouped_attend_with(_first_alone),
        ),
        Mistake(
            "averaged",
            "You average the key heads and the value heads. Each group keeps its own: nothing is "
            "averaged when the heads are used.",
            _grouped_attend_with(_averaged),
        ),
        Mistake(
            "last_for_the_rest",
            "Query head 0 uses key head 0, query head 1 key head 1, and all the others the last "
            "one. Each key head serves equally many: num_heads // num_kv_heads.",
            _grouped_attend_with(_one_each_then_the_last),
        ),
        Mistake(
            "backwards",
            "Your groups are in the wrong order: the first query heads use the last key head.",
            _grouped_attend_with(_backwards),
        ),
        Mistake(
            "queries_averaged",
            "You average the queries of a group. Query heads share keys and values; each has its "
            "own query, its own weights and its own output.",
            _grouped_attend_with(asks=_mean_query),
        ),
        Mistake(
            "queries_dropped",
            "You use as many query heads as there are key heads, and drop the others. Every query "
            "head gives an output.",
            _first_queries_alone,
        ),
        Mistake(
            "not_scaled",
            "You do not divide the scores by the square root of head_dim.",
            _grouped_attend_with(scale=lambda query, key: 1.0),
        ),
        Mistake(
            "scaled_by_heads",
            "You divide by the square root of num_heads * head_dim, the width of all heads. The "
            "scale is that of one head.",
            _grouped_attend_with(
                scale=lambda query, key: 1 / math.sqrt(query.shape[1] * query.shape[-1])
            ),
        ),
        Mistake(
            "softmax_over_queries",
            "Your softmax runs over the queries. The weights of each query add up to 1: over the "
            "keys, the last dimension.",
            _grouped_attend_with(dim=-2),
        ),
        Mistake(
            "softmax_over_heads",
            "Your softmax runs over the heads. Each head has weights of its own, which add up to "
            "1 over the keys, the last dimension.",
            _grouped_attend_with(dim=1),
        ),
        Mistake(
            "keys_for_values",
            "You mix the keys. The weights come from the keys, and what they mix are the values.",
            lambda query, key, value: grouped_attend(query, key, key),
        ),
    ),
)
