"""Answers to cached_attend (lesson 13, exercise 2), right and wrong, as students write them."""

import math

import torch


# wrong: head_dim without its root
def divided_by_d(query, key, value, past_key, past_value):
    keys = torch.cat([past_key, key], dim=2)
    values = torch.cat([past_value, value], dim=2)
    n, d = query.shape[-2:]
    m = keys.shape[2]
    mask = torch.ones(n, m).tril(m - n).bool()
    scores = query @ keys.transpose(-2, -1) / d
    scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ values, keys, values


# wrong: no mask
# named: no_mask
def everything_seen(query, key, value, past_key, past_value):
    keys = torch.cat([past_key, key], dim=2)
    values = torch.cat([past_value, value], dim=2)
    n, d = query.shape[-2:]
    m = keys.shape[2]
    mask = torch.ones(n, m).bool()
    scores = query @ keys.transpose(-2, -1) / math.sqrt(d)
    scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ values, keys, values


# wrong: new keys in front
# named: new_in_front
def front(query, key, value, past_key, past_value):
    keys = torch.cat([key, past_key], dim=2)
    values = torch.cat([value, past_value], dim=2)
    n, d = query.shape[-2:]
    m = keys.shape[2]
    mask = torch.ones(n, m).tril(m - n).bool()
    scores = query @ keys.transpose(-2, -1) / math.sqrt(d)
    scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ values, keys, values


# wrong: keys are mixed
# named: keys_for_values
def mixes_keys(query, key, value, past_key, past_value):
    keys = torch.cat([past_key, key], dim=2)
    values = torch.cat([past_value, value], dim=2)
    n, d = query.shape[-2:]
    m = keys.shape[2]
    mask = torch.ones(n, m).tril(m - n).bool()
    scores = query @ keys.transpose(-2, -1) / math.sqrt(d)
    scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ keys, keys, values


# wrong: the new keys alone come back
# named: new_alone_kept
def new_returned(query, key, value, past_key, past_value):
    keys = torch.cat([past_key, key], dim=2)
    values = torch.cat([past_value, value], dim=2)
    n, d = query.shape[-2:]
    m = keys.shape[2]
    mask = torch.ones(n, m).tril(m - n).bool()
    scores = query @ keys.transpose(-2, -1) / math.sqrt(d)
    scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ values, key, value


# wrong: attends to the new tokens alone
# named: past_not_seen
def no_past(query, key, value, past_key, past_value):
    n = query.shape[2]
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    scores = scores.masked_fill(torch.ones(n, n).triu(1).bool(), -math.inf)
    out = scores.softmax(-1) @ value
    return out, torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)


# wrong: the old cache comes back
# named: kept_as_it_was
def old_cache_returned(query, key, value, past_key, past_value):
    keys = torch.cat([past_key, key], dim=2)
    values = torch.cat([past_value, value], dim=2)
    n, d = query.shape[-2:]
    m = keys.shape[2]
    mask = torch.ones(n, m).tril(m - n).bool()
    scores = query @ keys.transpose(-2, -1) / math.sqrt(d)
    scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ values, past_key, past_value


# wrong: one key of the future
# named: one_too_many
def one_too_far(query, key, value, past_key, past_value):
    keys = torch.cat([past_key, key], dim=2)
    values = torch.cat([past_value, value], dim=2)
    n, d = query.shape[-2:]
    m = keys.shape[2]
    mask = torch.ones(n, m).tril(m - n + 1).bool()
    scores = query @ keys.transpose(-2, -1) / math.sqrt(d)
    scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ values, keys, values


# wrong: softmax over the queries
# named: softmax_over_queries
def over_queries(query, key, value, past_key, past_value):
    keys = torch.cat([past_key, key], dim=2)
    values = torch.cat([past_value, value], dim=2)
    n, d = query.shape[-2:]
    m = keys.shape[2]
    mask = torch.ones(n, m).tril(m - n).bool()
    scores = query @ keys.transpose(-2, -1) / math.sqrt(d)
    scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-2) @ values, keys, values


# wrong: the triangle begins at key 0
# named: aligned_to_the_start
def plain_tril(query, key, value, past_key, past_value):
    keys = torch.cat([past_key, key], dim=2)
    values = torch.cat([past_value, value], dim=2)
    n, d = query.shape[-2:]
    m = keys.shape[2]
    mask = torch.ones(n, m).tril().bool()
    scores = query @ keys.transpose(-2, -1) / math.sqrt(d)
    scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ values, keys, values


# right
def right_cut_keys(query, key, value, past_key, past_value):
    """No mask: each query gets the keys that it may see."""
    keys, values = torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)
    first = keys.shape[2] - query.shape[2] + 1
    rows = []
    for i, asked in enumerate(query.split(1, dim=2)):
        seen = slice(0, first + i)
        weights = (asked @ keys[:, :, seen].mT * asked.shape[-1] ** -0.5).softmax(-1)
        rows.append(weights @ values[:, :, seen])
    return torch.cat(rows, dim=2), keys, values


# right
def right_two_softmax_parts(query, key, value, past_key, past_value):
    """The past and the new tokens apart, merged by their sums of exponentials."""
    n, root = query.shape[2], query.shape[-1] ** 0.5
    old = query @ past_key.mT / root
    new = (query @ key.mT / root).masked_fill(torch.ones(n, n).triu(1).bool(), -torch.inf)
    top = torch.cat((old, new), -1).amax(-1, keepdim=True)
    a, b = (old - top).exp(), (new - top).exp()
    total = a.sum(-1, keepdim=True) + b.sum(-1, keepdim=True)
    output = (a @ past_value + b @ value) / total
    return output, torch.cat((past_key, key), -2), torch.cat((past_value, value), -2)


# right
def right_whole_square(query, key, value, past_key, past_value):
    """Queries of zeros for the past, an ordinary causal mask, and the last rows."""
    keys, values = torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)
    asks = torch.cat((torch.zeros_like(past_key), query), 2)
    scores = torch.einsum("bhqd,bhkd->bhqk", asks, keys) / math.sqrt(keys.shape[3])
    weights = scores.masked_fill(torch.ones_like(scores).triu(1) > 0, -math.inf).softmax(3)
    return (weights @ values)[:, :, past_key.shape[2] :], keys, values


# wrong: the root of the number of keys
# named: scaled_by_length
def root_of_the_length(query, key, value, past_key, past_value):
    keys = torch.cat([past_key, key], dim=2)
    values = torch.cat([past_value, value], dim=2)
    n, d = query.shape[-2:]
    m = keys.shape[2]
    mask = torch.ones(n, m).tril(m - n).bool()
    scores = query @ keys.transpose(-2, -1) / math.sqrt(m)
    scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ values, keys, values


# wrong: no scale
# named: not_scaled
def unscaled(query, key, value, past_key, past_value):
    keys = torch.cat([past_key, key], dim=2)
    values = torch.cat([past_value, value], dim=2)
    n, d = query.shape[-2:]
    m = keys.shape[2]
    mask = torch.ones(n, m).tril(m - n).bool()
    scores = query @ keys.transpose(-2, -1)
    scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ values, keys, values


# wrong: a token does not see itself
# not named yet: itself_hidden
def without_its_own(query, key, value, past_key, past_value):
    keys = torch.cat([past_key, key], dim=2)
    values = torch.cat([past_value, value], dim=2)
    n, d = query.shape[-2:]
    m = keys.shape[2]
    mask = torch.arange(m) < torch.arange(m - n, m)[:, None]
    scores = query @ keys.transpose(-2, -1) / math.sqrt(d)
    scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ values, keys, values


# wrong: joined along the features
def wrong_axis(query, key, value, past_key, past_value):
    keys = torch.cat((past_key, key), dim=-1)
    values = torch.cat((past_value, value), dim=-1)
    scores = query @ keys.mT / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values, keys, values


# wrong: a new token sees nothing of the new tokens before it
# named: new_before_hidden
def new_before_hidden_too(query, key, value, past_key, past_value):
    k, v = torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)
    n, p = query.shape[2], past_key.shape[2]
    s = query @ k.mT / query.shape[-1] ** 0.5
    m = torch.cat((torch.ones(n, p), torch.eye(n)), 1).bool()
    return s.masked_fill(~m, -math.inf).softmax(-1) @ v, k, v


# wrong: weights are set to 0 after the softmax
# named: masked_too_late
def zeroed_weights(query, key, value, past_key, past_value):
    keys = torch.cat((past_key, key), 2)
    values = torch.cat((past_value, value), 2)
    weights = torch.softmax(query @ keys.mT / math.sqrt(query.shape[-1]), dim=-1)
    weights = weights.tril(keys.shape[2] - query.shape[2])
    return weights @ values, keys, values
