"""Lesson 13, exercise 2: new tokens behind those in the cache."""

import math

import torch

from course_checks.exercise import TORCH_ATTENTION, Case, Exercise, Property, randn
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention


def cached_attend(query, key, value, past_key, past_value):
    keys, values = torch.cat((past_key, key), dim=2), torch.cat((past_value, value), dim=2)
    query_len, key_len = query.shape[2], keys.shape[2]
    allowed = torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=-1)
    return weights @ values, keys, values


MISTAKES = """
aligned_to_the_start: tril(key_len - query_len) -> tril()
    Your mask begins at the first key: new token 0 sees key 0 only. The new tokens are the last
    ones: shift the triangle by key_len - query_len.
no_mask: .tril(key_len - query_len) ->
    Every new token sees every key. Where several come at once, none may see the later ones.
masked_too_late: scores.masked_fill(~allowed, -math.inf).softmax(dim=-1) -> \
        scores.softmax(dim=-1) * allowed
    You set weights to 0 after the softmax, and the others no longer add up to 1. Put -inf into the
    scores before it.
itself_hidden: tril(key_len - query_len) -> tril(key_len - query_len - (key_len > query_len))
or: tril(key_len - query_len) -> tril(key_len - query_len - 1)
or: tril(key_len - query_len) -> tril(key_len - query_len - 1) && \
        softmax(dim=-1) -> softmax(dim=-1).nan_to_num()
or: query @ keys -> query @ (past_key if past_key.shape[2] else key) && \
        scores.masked_fill(~allowed, -math.inf) -> scores && weights @ values -> weights @ \
        (past_value if past_key.shape[2] else value)
    A new token does not see itself. Append its key and value first, then attend.
one_too_many: tril(key_len - query_len) -> tril(key_len - query_len + 1)
    Each new token sees one key too many. The triangle is shifted by key_len - query_len.
past_not_seen: key_len = query.shape[2], keys.shape[2] -> key_len = query.shape[2], key.shape[2] \
        && query @ keys -> query @ key && weights @ values -> weights @ value
    Your new tokens see each other only. Put past_key in front of key before you compute the scores.
new_in_front: (past_key, key) -> (key, past_key) && (past_value, value) -> (value, past_value)
    You put the new keys and values in front. They come behind, in the order of the text.
kept_as_it_was: return weights @ values, keys, values -> \
        return weights @ values, past_key, past_value
    The keys and values that you return lack the new ones, and the next step does not see them.
new_alone_kept: return weights @ values, keys, values -> return weights @ values, key, value
    The keys and values that you return are the new ones alone. The past belongs in front.
not_scaled: / math.sqrt(query.shape[-1]) ->
    You do not divide the scores by the square root of head_dim.
scaled_by_length: math.sqrt(query.shape[-1]) -> math.sqrt(key_len)
    You divide by the root of the number of keys. It is the number of features, head_dim.
softmax_over_queries: softmax(dim=-1) -> softmax(dim=-2).nan_to_num()
    Your softmax runs over the queries. Each query's weights add up to 1: the last dimension.
keys_for_values: weights @ values -> weights @ keys
    You mix the keys. The weights come from the keys, and what they mix are the values.
new_before_hidden: torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len) -> \
        torch.cat((torch.ones(query_len, key_len - query_len), torch.eye(query_len)), dim=1) > 0
    A new token does not see the new tokens before it. It sees the cache, those, and itself.
"""


def _cases(*sizes):
    """(batch, heads, past_len, new_len, head_dim) each."""

    def make(generator):
        for batch, heads, past_len, new_len, head_dim in sizes:
            new = [randn(generator, batch, heads, new_len, head_dim) for _ in range(3)]
            past = [randn(generator, batch, heads, past_len, head_dim) for _ in range(2)]
            yield Case((*new, *past))

    return make


EXERCISE = Exercise(
    reference=cached_attend,
    returns={
        "output": "(batch, heads, new_len, head_dim)",
        "keys": "(batch, heads, past_len + new_len, head_dim)",
        "values": "(batch, heads, past_len + new_len, head_dim)",
    },
    forbidden=(TORCH_ATTENTION,),
    library=(scaled_dot_product_attention,),
    properties=(
        Property("one new token behind several", 2, _cases((1, 1, 3, 1, 2), (1, 2, 5, 1, 4))),
        Property(
            "several new tokens behind several: each sees the past, itself and those before it",
            2,
            _cases((1, 1, 2, 2, 2), (2, 3, 4, 3, 4), (1, 2, 2, 4, 3)),
        ),
        Property(
            "several tokens with nothing in the cache yet",
            1,
            _cases((1, 1, 0, 3, 2), (2, 2, 0, 4, 3)),
        ),
    ),
    stretched="query",
    mistakes=MISTAKES,
)
