"""Answers to rolling_step (lesson 13, exercise 7), right and wrong, as students write them."""

import functools
import math
from collections import deque

import torch
import torch.nn.functional as F


def rolls(keep, see=None, dim=-1, scale=lambda query, keys: query.shape[-1] ** 0.5):
    """One step; ``keep`` and ``see`` give what stays, and what the query sees."""

    def rolling_step(query, key, value, past_key, past_value, window):
        keys, values = keep(past_key, key, window), keep(past_value, value, window)
        k, v = keys, values
        if see:
            k, v = see(past_key, key, window), see(past_value, value, window)
        return (query @ k.mT / scale(query, k)).softmax(dim) @ v, keys, values

    return rolling_step


def last(past, new, window):
    return torch.cat((past, new), 2)[:, :, -window:]


# right
def room_first(query, key, value, past_key, past_value, window):
    """Makes room, counted from the front, and appends then."""
    leave = max(past_key.shape[2] + 1 - window, 0)
    keys = torch.cat([past_key[:, :, leave:], key], dim=-2)
    values = torch.cat([past_value[:, :, leave:], value], dim=-2)
    return torch.softmax(query @ keys.mT * query.size(-1) ** -0.5, -1) @ values, keys, values


# right
def one_by_one(query, key, value, past_key, past_value, window):
    """The oldest leaves, again and again, until the rest fits."""
    keys, values = torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)
    while keys.shape[2] > window:
        keys, values = keys[:, :, 1:], values[:, :, 1:]
    exp = (torch.einsum("bhqd,bhkd->bhqk", query, keys) / math.sqrt(query.shape[3])).exp()
    return torch.einsum("bhqk,bhkd->bhqd", exp / exp.sum(-1, keepdim=True), values), keys, values


# right
def by_deque(query, key, value, past_key, past_value, window):
    """A queue of bounded length drops its oldest entries itself."""
    keys = deque([*past_key.unbind(2), key[:, :, 0]], maxlen=window)
    values = deque([*past_value.unbind(2), value[:, :, 0]], maxlen=window)
    keys, values = torch.stack(list(keys), dim=2), torch.stack(list(values), dim=2)
    weights = ((query * keys).sum(-1) / query.shape[-1] ** 0.5).softmax(-1)  # (b, h, kept)
    return (weights[..., None] * values).sum(2, keepdim=True), keys, values


# wrong: -(window - 1): with a window of 1
# named: minus_zero
# points: 5
def minus_zero(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past[:, :, -(window - 1) :], new], dim=2)

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: one token leaves a full cache
# named: one_leaves
# points: 5
def one_leaves(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past[:, :, 1:] if past.shape[2] >= window else past, new], dim=2)

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: while there is room, the start of the window is negative and counts from the end
def start_below_0(query, key, value, past_key, past_value, window):
    first = past_key.shape[2] + 1 - window
    k = torch.cat((past_key[:, :, first:], key), 2)
    v = torch.cat((past_value[:, :, first:], value), 2)
    return (query @ k.mT / math.sqrt(query.shape[-1])).softmax(-1) @ v, k, v


# wrong: drops one token where the past is longer than the window
def one_out_when_over(past, new, window):
    """Looks before the new one comes in, so it looks too late; and drops one only."""
    if past.shape[2] > window:
        past = past[:, :, 1:]
    return torch.cat((past, new), 2)


drops_one_when_over = rolls(one_out_when_over)


# wrong: drops a token at every step
def always_out(past, new, window):
    return torch.cat((past[:, :, 1:], new), 2)


drops_one_always = rolls(always_out)


# wrong: writes into a ring by position
def ring_by_position(past, new, window):
    """A right ring, were there somebody who remembered where it begins."""
    joined = torch.cat((past, new), 2)
    kept = joined[:, :, -window:]
    return kept.roll(joined.shape[2] % window, 2) if joined.shape[2] > window else kept


ring_of_one_size = rolls(ring_by_position)


# wrong: rolls the caller's cache
# named: changes_input
# points: 5
def turned_in_place(past, new, window):
    if past.shape[2] < window:
        return torch.cat((past, new), 2)
    past.copy_(past.roll(-1, 2))
    past[:, :, -1:] = new
    return past[:, :, -window:]


turns_the_past_in_place = rolls(turned_in_place)


# wrong: fills the cache with zeros
# named: filled_with_zeros
def whole_buffer(past, new, window):
    kept = last(past, new, window)
    buffer = torch.zeros(*kept.shape[:2], window, kept.shape[3])
    buffer[:, :, : kept.shape[2]] = kept
    return buffer


returns_the_whole_buffer = rolls(whole_buffer)


# wrong: calls torch's attention
# named: forbidden
def rolls_by_torch(query, key, value, past_key, past_value, window):
    keys, values = last(past_key, key, window), last(past_value, value, window)
    return F.scaled_dot_product_attention(query, keys, values), keys, values


# wrong: computes in float64
# named: dtype
# points: 5
def rolls_in_double(query, key, value, past_key, past_value, window):
    tensors = (t.double() for t in (query, key, value, past_key, past_value))
    return rolls(last)(*tensors, window)


# wrong: returns the cache alone
# says: 3 things
def only_the_cache(query, key, value, past_key, past_value, window):
    return last(past_key, key, window), last(past_value, value, window)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for batch, heads, past_len, size, window in (
        (2, 1, 3, 3, 3),
        (1, 4, 1, 2, 4),
        (2, 2, 8, 5, 2),
        (3, 2, 2, 4, 1),
        (1, 2, 0, 6, 2),
    ):
        new = [randn(batch, heads, 1, size) for _ in range(3)]
        yield *new, *(randn(batch, heads, past_len, size) for _ in range(2)), window
