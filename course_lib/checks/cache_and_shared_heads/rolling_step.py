"""Lesson 13, exercise 7: a cache of bounded size, from which the oldest token leaves."""

import math

import torch
import torch.nn.functional as F

from course_lib.attention.scaled_dot_product import scaled_dot_product_attention
from course_lib.checks.exercise import Case, Exercise, Property, randn


def rolling_step(query, key, value, past_key, past_value, window):
    pairs = (past_key, key), (past_value, value)
    keys, values = (torch.cat(pair, dim=2)[:, :, -window:] for pair in pairs)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return scores.softmax(dim=-1) @ values, keys, values


MISTAKES = """
new_one_dropped: [:, :, -window:] -> [:, :, :window]
or: [:, :, -window:] -> [:, :, : max(window, past_key.shape[2])]
    When the cache is full, you cut at its end, and the new token is what goes. The last `window`
    tokens stay: the oldest ones go, at the front.
newest_of_the_past_dropped: torch.cat(pair, dim=2)[:, :, -window:] -> \
        torch.cat((pair[0][:, :, : window - 1], pair[1]), dim=2)
    The new token comes in, but to make room for it you drop the newest tokens of the cache. The
    oldest ones leave: they stand at the front.
never_drops: [:, :, -window:] ->
    Nothing ever leaves your cache, and it grows with the text. No more than `window` tokens stay,
    the last ones.
kept_grows: , keys, values -> , *(torch.cat(pair, dim=2) for pair in pairs)
    Your query sees the last `window` tokens, but the keys and values that you return are still all
    of them. The cache is to be bounded: return what you kept.
sees_what_leaves: [:, :, -window:] -> && , keys, values -> \
        , keys[:, :, -window:], values[:, :, -window:]
    You return the right cache, but your query still sees the tokens that have left. Drop them
    first, then attend to what is kept.
one_leaves: torch.cat(pair, dim=2)[:, :, -window:] -> \
        torch.cat((pair[0][:, :, int(past_key.shape[2] >= window) :], pair[1]), dim=2)
    From a full cache you drop one token, however many it holds. After a long prompt it holds more
    than `window`, and more than one must leave.
one_too_many: torch.cat(pair, dim=2)[:, :, -window:] -> \
        torch.cat((pair[0][:, :, -window:], pair[1]), dim=2)
    Your window is one token too wide: it counts without the new one. `window` tokens stay, and the
    new one is among them.
one_too_few: torch.cat(pair, dim=2)[:, :, -window:] -> _one_too_few(*pair, window)
or: torch.cat(pair, dim=2)[:, :, -window:] -> _one_too_few_and_itself(*pair, window)
    Your window is one token too narrow. `window` tokens stay, the new one among them.
minus_zero: torch.cat(pair, dim=2)[:, :, -window:] -> \
        torch.cat((pair[0][:, :, -(window - 1) :], pair[1]), dim=2)
    Your answer is right but for a window of 1. There you cut with `-(window - 1):`, and that is
    `-0:`, which is `0:`: everything stays. Append first, and cut the last `window`, or count from
    the front.
itself_not_seen: keys.transpose -> past_key[:, :, -window:].transpose && @ values -> \
        @ past_value[:, :, -window:]
or: keys.transpose -> (past_key if past_key.shape[2] else key)[:, :, -window:].transpose && \
        @ values -> @ (past_value if past_key.shape[2] else value)[:, :, -window:]
or: keys.transpose -> past_key.transpose && @ values -> @ past_value
or: keys.transpose -> (past_key if past_key.shape[2] else key).transpose && @ values -> \
        @ (past_value if past_key.shape[2] else value)
    Your query sees what was in the cache, and not its own token. The new key and value go in first,
    then the query asks.
past_not_seen: keys.transpose -> key.transpose && @ values -> @ value
    Your query sees its own token alone. It sees all that is kept.
new_one_not_kept: , keys, values -> , past_key[:, :, -window:], past_value[:, :, -window:]
or: , keys, values -> , past_key, past_value
    Your output is right, but the keys and values that you return are those that were in the cache
    before. The new ones belong to them now.
over_the_first: torch.cat(pair, dim=2)[:, :, -window:] -> _over_the_first(*pair, window)
    You put the new token into the row of the oldest one. The output is right this time: without
    positions, attention does not ask for the order. But the first row now holds the newest token,
    and the next step takes it for the oldest and drops it. Keep the order of the text.
new_one_in_front: torch.cat(pair, dim=2)[:, :, -window:] -> \
        torch.cat(pair[::-1], dim=2)[:, :, :window]
or: torch.cat(pair, -> torch.cat(pair[::-1],
    You put the new key and value in front of the old ones. They come behind: the cache is in the
    order of the text.
filled_with_zeros: torch.cat(pair, dim=2)[:, :, -window:] -> _zeros_before(*pair, window)
or: torch.cat(pair, dim=2)[:, :, -window:] -> _zeros_behind(*pair, window)
or: keys.transpose -> _zeros_behind(*pairs[0], window).transpose && @ values -> \
        @ _zeros_behind(*pairs[1], window)
    While the cache is not full, you fill it with zeros, and your query gives them weight: the
    exponential of a score of 0 is 1. Keep as many tokens as there are.
batch_cut: [:, :, -window:] -> [-window:]
    `[-window:]` cuts the first dimension, which is the batch. The tokens are dimension 2: `[:, :,
    -window:]`.
heads_cut: [:, :, -window:] -> [:, -window:]
    You cut dimension 1, which is the heads. The tokens are dimension 2: `[:, :, -window:]`.
not_scaled: / math.sqrt(query.shape[-1]) ->
    You do not divide the scores by the square root of head_dim.
scaled_by_length: query.shape[-1] -> keys.shape[2]
or: query.shape[-1] -> window
    You divide by the square root of a number of tokens. It is the number of features that counts,
    head_dim.
softmax_elsewhere: softmax(dim=-1) -> softmax(dim=-2)
or: softmax(dim=-1) -> softmax(dim=1)
or: softmax(dim=-1) -> softmax(dim=0)
    Your softmax does not run over the keys. The weights of a query add up to 1: take the last
    dimension.
keys_for_values: @ values -> @ keys
    You mix the keys. The weights come from the keys, and what they mix are the values.
"""


# --- wrong versions -----------------------------------------------------------------------------


def _roll(past, new, window):
    return torch.cat((past, new), dim=2)[:, :, -window:]


def _grow(past, new, window):
    return torch.cat((past, new), dim=2)


def _one_too_few(past, new, window):
    joined = _grow(past, new, window)
    return joined[:, :, max(joined.shape[2] - window + 1, 0) :]


def _one_too_few_and_itself(past, new, window):
    """Room for the past is counted without the new token, and once more."""
    return _grow(past[:, :, max(past.shape[2] - window + 2, 0) :], new, window)


def _over_the_first(past, new, window):
    """The new one takes the oldest one's row."""
    if past.shape[2] < window:
        return _grow(past, new, window)
    kept = past[:, :, -window:]
    return torch.cat((new, kept[:, :, 1:]), dim=2)


def _zeros_before(past, new, window):
    kept = _roll(past, new, window)
    return F.pad(kept, (0, 0, window - kept.shape[2], 0))


def _zeros_behind(past, new, window):
    kept = _roll(past, new, window)
    return F.pad(kept, (0, 0, 0, window - kept.shape[2]))


def _cases(*sizes):
    """(batch, heads, past_len, head_dim, window) each."""

    def make(generator):
        cases = []
        for batch, heads, past_len, head_dim, window in sizes:
            new = [randn(generator, batch, heads, 1, head_dim) for _ in range(3)]
            past = [randn(generator, batch, heads, past_len, head_dim) for _ in range(2)]
            cases.append(Case((*new, *past, window)))
        return cases

    return make


EXERCISE = Exercise(
    lesson="13",
    number=7,
    reference=rolling_step,
    returns={
        "output": "(batch, heads, 1, head_dim)",
        "keys": "(batch, heads, min(past_len + 1, window), head_dim)",
        "values": "(batch, heads, min(past_len + 1, window), head_dim)",
    },
    forbidden=(
        (
            F,
            "scaled_dot_product_attention",
            "Your function calls torch's scaled_dot_product_attention. Write it yourself here: "
            "one query, its scores, a softmax and a mix.",
        ),
    ),
    library=(scaled_dot_product_attention,),
    properties=(
        Property(
            "in a full cache the oldest token leaves, and the new one is seen and kept",
            2,
            _cases((1, 1, 2, 2, 2), (2, 3, 4, 5, 4), (1, 5, 3, 2, 3)),
        ),
        Property(
            "as long as there is room, nothing leaves",
            1,
            _cases((1, 1, 0, 2, 3), (2, 2, 2, 3, 6), (1, 3, 3, 4, 4)),
        ),
        Property(
            "after a long prompt the cache is cut to the window",
            1,
            _cases((1, 1, 4, 2, 2), (2, 2, 7, 3, 3), (3, 1, 9, 5, 5)),
        ),
        Property(
            "with a window of 1 the new token sees itself alone",
            1,
            _cases((2, 2, 1, 3, 1), (1, 1, 0, 2, 1), (2, 3, 1, 2, 1)),
        ),
    ),
    mistakes=MISTAKES,
)
