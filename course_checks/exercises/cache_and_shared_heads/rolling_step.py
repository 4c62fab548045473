"""Lesson 13, exercise 7: a cache of bounded size, from which the oldest token leaves."""

import math

import torch

from course_checks.exercise import TORCH_ATTENTION, Case, Exercise, Property, randn
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention


def rolling_step(query, key, value, past_key, past_value, window):
    pairs = (past_key, key), (past_value, value)
    keys, values = (torch.cat(pair, dim=2)[:, :, -window:] for pair in pairs)
    scores = query @ keys.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return scores.softmax(dim=-1) @ values, keys, values


MISTAKES = """
new_one_dropped: [:, :, -window:] -> [:, :, :window] || [:, :, : max(window, past_key.shape[2])]
    When the cache is full, the new token is what goes. The last `window` tokens stay: cut at the
    front.
newest_of_the_past_dropped: torch.cat(pair, dim=2)[:, :, -window:] -> \
        torch.cat((pair[0][:, :, : window - 1], pair[1]), dim=2)
    To make room you drop the newest tokens of the cache. The oldest leave, at the front.
never_drops: [:, :, -window:] ->
    Nothing ever leaves your cache. No more than `window` tokens stay, the last ones.
kept_grows: , keys, values -> , *(torch.cat(pair, dim=2) for pair in pairs)
    Your query sees the last `window` tokens, but you return all keys and values. Return what you
    kept.
sees_what_leaves: [:, :, -window:] -> && , keys, values -> \
        , keys[:, :, -window:], values[:, :, -window:]
    You return the right cache, but your query still sees the tokens that have left. Drop them
    first.
one_leaves: torch.cat(pair, dim=2)[:, :, -window:] -> \
        torch.cat((pair[0][:, :, int(past_key.shape[2] >= window) :], pair[1]), dim=2)
    From a full cache you drop one token. After a long prompt it holds more than `window`, and more
    than one must leave.
one_too_many: torch.cat(pair, dim=2)[:, :, -window:] -> \
        torch.cat((pair[0][:, :, -window:], pair[1]), dim=2)
    Your window is one token too wide: `window` tokens stay, and the new one is among them.
one_too_few: [:, :, -window:] -> [:, :, max(past_key.shape[2] + 2 - window, 0) :]
or: torch.cat(pair, dim=2)[:, :, -window:] -> torch.cat((pair[0][:, :, max(past_key.shape[2] + 2 - \
        window, 0) :], pair[1]), dim=2)
    Your window is one token too narrow. `window` tokens stay, the new one among them.
minus_zero: torch.cat(pair, dim=2)[:, :, -window:] -> \
        torch.cat((pair[0][:, :, -(window - 1) :], pair[1]), dim=2)
    Your answer is right but for a window of 1. There `-(window - 1):` is `-0:`, and everything
    stays. Append first, and cut the last `window`.
itself_not_seen: keys.transpose -> past_key[:, :, -window:].transpose && @ values -> \
        @ past_value[:, :, -window:]
or: keys.transpose -> (past_key if past_key.shape[2] else key)[:, :, -window:].transpose && \
        @ values -> @ (past_value if past_key.shape[2] else value)[:, :, -window:]
or: keys.transpose -> past_key.transpose && @ values -> @ past_value
or: keys.transpose -> (past_key if past_key.shape[2] else key).transpose && @ values -> \
        @ (past_value if past_key.shape[2] else value)
    Your query does not see its own token. Append the new key and value first, then ask.
past_not_seen: keys.transpose -> key.transpose && @ values -> @ value
    Your query sees its own token alone. It sees all that is kept.
new_one_not_kept: , keys, values -> , past_key[:, :, -window:], past_value[:, :, -window:]
or: , keys, values -> , past_key, past_value
    Your output is right, but the keys and values that you return lack the new ones.
over_the_first: torch.cat(pair, dim=2)[:, :, -window:] -> torch.cat(pair if past_key.shape[2] < \
        window else (pair[1], pair[0][:, :, -window:][:, :, 1:]), dim=2)
    You put the new token into the row of the oldest one. The output is right this time, but the
    next step takes the newest for the oldest and drops it. Keep the order of the text.
new_one_in_front: torch.cat(pair, dim=2)[:, :, -window:] -> \
        torch.cat(pair[::-1], dim=2)[:, :, :window] || torch.cat(pair, -> torch.cat(pair[::-1],
    You put the new key and value in front. They come behind, in the order of the text.
filled_with_zeros: torch.cat(pair, dim=2) -> F.pad(torch.cat(pair, dim=2), (0, 0, window, 0))
or: torch.cat(pair, dim=2)[:, :, -window:] -> F.pad(torch.cat(pair, dim=2)[:, :, -window:], (0, 0, \
        0, max(window - 1 - past_key.shape[2], 0)))
or: keys.transpose -> F.pad(keys, (0, 0, 0, window - keys.shape[2])).transpose && @ values -> @ \
        F.pad(values, (0, 0, 0, window - keys.shape[2]))
    You fill the cache with zeros, and your query gives them weight: exp(0) is 1. Keep as many
    tokens as there are.
batch_cut: [:, :, -window:] -> [-window:] || [:, -window:]
    You do not cut the tokens but another dimension. They are dimension 2: `[:, :, -window:]`.
not_scaled: / math.sqrt(query.shape[-1]) ->
    You do not divide the scores by the square root of head_dim.
scaled_by_length: query.shape[-1] -> keys.shape[2] || window
    You divide by the root of a number of tokens. It is the number of features, head_dim.
softmax_elsewhere: softmax(dim=-1) -> softmax(dim=-2) || softmax(dim=1) || softmax(dim=0)
    Your softmax does not run over the keys. Take the last dimension.
keys_for_values: @ values -> @ keys
    You mix the keys. The weights come from the keys, and what they mix are the values.
"""


def _cases(*sizes):
    """(batch, heads, past_len, head_dim, window) each."""

    def make(generator):
        for batch, heads, past_len, head_dim, window in sizes:
            new = [randn(generator, batch, heads, 1, head_dim) for _ in range(3)]
            past = [randn(generator, batch, heads, past_len, head_dim) for _ in range(2)]
            yield Case((*new, *past, window))

    return make


EXERCISE = Exercise(
    reference=rolling_step,
    returns={
        "output": "(batch, heads, 1, head_dim)",
        "keys": "(batch, heads, min(past_len + 1, window), head_dim)",
        "values": "(batch, heads, min(past_len + 1, window), head_dim)",
    },
    forbidden=(TORCH_ATTENTION,),
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
            _cases((1, 1, 0, 2, 3), (2, 2, 5, 3, 7), (1, 3, 3, 4, 4)),
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
    stretched="query",
    mistakes=MISTAKES,
)
