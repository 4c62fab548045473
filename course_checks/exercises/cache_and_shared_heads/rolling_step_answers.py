"""Answers to rolling_step (lesson 13, exercise 7), right and wrong, as students write them."""

import math

import torch


# wrong: [-window:] of the batch
# named: batch_cut
def first_dimension(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)[-window:]

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: the new one is written over the oldest
# named: over_the_first
def first_overwritten(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return (
            torch.cat([new, past[:, :, -window:][:, :, 1:]], dim=2)
            if past.shape[2] >= window
            else torch.cat([past, new], dim=2)
        )

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: nothing leaves
# named: never_drops
def grows(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: sees its own token alone
# named: past_not_seen
def itself_only(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)[:, :, -window:]

    keys, values = keep(past_key, key), keep(past_value, value)

    def see(past, new):
        return new

    seen_keys, seen_values = see(past_key, key), see(past_value, value)
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: keys are mixed
# named: keys_for_values
def keys_mixed(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)[:, :, -window:]

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_keys
    return output, keys, values


# wrong: -(window - 1): with a window of 1
# named: minus_zero
def minus_zero(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past[:, :, -(window - 1) :], new], dim=2)

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: the new one stands in front
# not named yet: new_one_in_front
def new_in_front(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat(
            [new, past[:, :, past.shape[2] + 1 - window if past.shape[2] >= window else 0 :]], dim=2
        )

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: the newest of the past leave
# named: newest_of_the_past_dropped
def newest_leave(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past[:, :, : window - 1], new], dim=2)

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: no scale
# named: not_scaled
def no_scale(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)[:, :, -window:]

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / 1.0
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: the old cache comes back
# named: new_one_not_kept
def old_cache_back(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)[:, :, -window:]

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, past_key, past_value


# wrong: the first tokens stay
# named: new_one_dropped
def oldest_stay(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)[:, :, :window]

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: one token leaves a full cache
# named: one_leaves
def one_leaves(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past[:, :, 1:] if past.shape[2] >= window else past, new], dim=2)

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: one token too few
# named: one_too_few
def one_narrow(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)[:, :, -max(window - 1, 1) :]

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: softmax over the heads
# named: softmax_elsewhere
def over_the_heads(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)[:, :, -window:]

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=1) @ seen_values
    return output, keys, values


# wrong: asks before the new one is in
# named: itself_not_seen
def past_only_seen(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)[:, :, -window:]

    keys, values = keep(past_key, key), keep(past_value, value)

    def see(past, new):
        return past[:, :, -window:]

    seen_keys, seen_values = see(past_key, key), see(past_value, value)
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: sees the window, returns all
# named: kept_grows
def returns_all(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)

    keys, values = keep(past_key, key), keep(past_value, value)

    def see(past, new):
        return torch.cat([past, new], dim=2)[:, :, -window:]

    seen_keys, seen_values = see(past_key, key), see(past_value, value)
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# right
def right_flipped(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2).flip(2)[:, :, :window].flip(2)

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# right
def right_index_select(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2).index_select(
            2, torch.arange(max(0, past.shape[2] + 1 - window), past.shape[2] + 1)
        )

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# right
def right_slice_from_front(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)[:, :, max(past.shape[2] + 1 - window, 0) :]

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# right
def right_split(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat((*past.unbind(2), new[:, :, 0])[-window:], -1).unflatten(
            -1, (-1, new.shape[-1])
        )

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: the root of the window
# named: scaled_by_length
def root_of_window(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)[:, :, -window:]

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(window)
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: [:, -window:] of the heads
# named: batch_cut
def second_dimension(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)[:, -window:]

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: returns the window, sees all
# named: sees_what_leaves
def sees_all(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)[:, :, -window:]

    keys, values = keep(past_key, key), keep(past_value, value)

    def see(past, new):
        return torch.cat([past, new], dim=2)

    seen_keys, seen_values = see(past_key, key), see(past_value, value)
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values


# wrong: the window is counted without the new one
# named: one_too_many
def window_of_the_past(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past[:, :, -window:], new], dim=2)

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
