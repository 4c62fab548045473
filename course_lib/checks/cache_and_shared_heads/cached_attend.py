"""Lesson 13, exercise 2: new tokens behind those in the cache."""

import math

import torch
import torch.nn.functional as F

from course_lib.attention.scaled_dot_product import scaled_dot_product_attention
from course_lib.checks.exercise import Case, Exercise, Property, randn


def cached_attend(query, key, value, past_key, past_value):
    keys, values = torch.cat((past_key, key), dim=2), torch.cat((past_value, value), dim=2)
    query_len, key_len = query.shape[2], keys.shape[2]
    allowed = torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~allowed, -math.inf).softmax(dim=-1)
    return weights @ values, keys, values


MISTAKES = """
aligned_to_the_start: tril(key_len - query_len) -> tril()
    Your mask begins at the first key: new token 0 sees key 0 only, as if it were the first of the
    text. The new tokens are the last ones: shift the triangle by key_len - query_len.
no_mask: .tril(key_len - query_len) ->
    Every new token sees every key. Where several new tokens come at once, the earlier ones must not
    see the later ones.
itself_hidden: tril(key_len - query_len) -> tril(key_len - query_len - (key_len > query_len))
    A new token does not see itself. It may: its own key is the last one that it sees.
one_too_many: tril(key_len - query_len) -> tril(key_len - query_len + 1)
    Each new token sees one key too many, the one behind its own. The triangle is shifted by key_len
    - query_len, and by no more.
past_not_seen: _cached_attend_with(seen=lambda past, new: new)
    Your new tokens see each other only. They must see the keys in the cache as well: put past_key
    in front of key before you compute the scores.
new_not_seen: _cached_attend_with(seen=_past_alone, allowed=lambda q, k: \
                torch.ones(q, k).tril(max(k - q, 0) + q))
    Your new tokens see what was in the cache, and not themselves. Append their keys and values
    first, then attend.
new_in_front: (past_key, key) -> (key, past_key) && (past_value, value) -> (value, past_value)
    You put the new keys and values in front of the old ones. They come behind: the cache is in the
    order of the text.
kept_as_it_was: return weights @ values, keys, values -> \
        return weights @ values, past_key, past_value
    The keys and values that you return are those that were in the cache before. The new ones belong
    to them now, or the next step does not see this one.
new_alone_kept: return weights @ values, keys, values -> return weights @ values, key, value
    The keys and values that you return are the new ones alone. What was in the cache before belongs
    to them, in front.
not_scaled: / math.sqrt(query.shape[-1]) ->
    You do not divide the scores by the square root of head_dim.
scaled_by_length: math.sqrt(query.shape[-1]) -> math.sqrt(key_len)
    You divide by the square root of the number of keys. It is the number of features that counts,
    head_dim.
softmax_over_queries: softmax(dim=-1) -> softmax(dim=-2).nan_to_num()
    Your softmax runs over the queries. The weights of each query add up to 1: over the keys, the
    last dimension.
keys_for_values: weights @ values -> weights @ keys
    You mix the keys. The weights come from the keys, and what they mix are the values.
new_before_hidden: torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len) -> \
        torch.cat((torch.ones(query_len, key_len - query_len), torch.eye(query_len)), dim=1) > 0
    A new token does not see the new tokens before it. It sees the cache, those, and itself.
"""


# --- wrong versions -----------------------------------------------------------------------------


def _behind(past, new):
    return torch.cat((past, new), dim=2)


def _cached_attend_with(
    allowed=lambda q, k: torch.ones(q, k).tril(k - q),
    scale=lambda query, keys: 1 / math.sqrt(query.shape[-1]),
    softmax=lambda scores: scores.softmax(dim=-1),
    join=_behind,
    seen=None,
    kept=None,
    values_of=lambda keys, values: values,
):
    """A version that differs in one of its parts; ``allowed``: 1 = may attend."""

    def version(query, key, value, past_key, past_value):
        keys, values = join(past_key, key), join(past_value, value)
        looked_at, taken = (seen or join)(past_key, key), (seen or join)(past_value, value)
        mask = allowed(query.shape[2], looked_at.shape[2]).bool()
        scores = query @ looked_at.transpose(-2, -1) * scale(query, looked_at)
        weights = softmax(scores.masked_fill(~mask, -math.inf))
        output = weights @ values_of(looked_at, taken)
        if kept is not None:
            keys, values = kept(past_key, key), kept(past_value, value)
        return output, keys, values

    return version


def _past_alone(past, new):
    return past if past.shape[2] else new


def _cases(*sizes):
    """(batch, heads, past_len, new_len, head_dim) each."""

    def make(generator):
        cases = []
        for batch, heads, past_len, new_len, head_dim in sizes:
            new = [randn(generator, batch, heads, new_len, head_dim) for _ in range(3)]
            past = [randn(generator, batch, heads, past_len, head_dim) for _ in range(2)]
            cases.append(Case((*new, *past)))
        return cases

    return make


EXERCISE = Exercise(
    lesson="13",
    number=2,
    reference=cached_attend,
    returns={
        "output": "(batch, heads, new_len, head_dim)",
        "keys": "(batch, heads, past_len + new_len, head_dim)",
        "values": "(batch, heads, past_len + new_len, head_dim)",
    },
    forbidden=(
        (
            F,
            "scaled_dot_product_attention",
            "Your function calls torch's scaled_dot_product_attention. Write it yourself here: "
            "with more keys than queries, its is_causal does something else than you need.",
        ),
    ),
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
    mistakes=MISTAKES,
)
