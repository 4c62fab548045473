"""Answers to cached_attend (lesson 13, exercise 2), right and wrong, as students write them."""

import functools
import math

import torch
import torch.nn.functional as F

import course_checks as checks
from course_lib import causal_mask


# right
def loop(query, key, value, past_key, past_value):
    """One new token after the other, each appended before it asks."""
    keys, values, outputs = past_key, past_value, []
    for t in range(query.shape[2]):
        keys = torch.cat([keys, key[:, :, t : t + 1]], 2)
        values = torch.cat([values, value[:, :, t : t + 1]], 2)
        scores = torch.einsum("bhd,bhkd->bhk", query[:, :, t], keys) * query.shape[-1] ** -0.5
        outputs.append(torch.einsum("bhk,bhkd->bhd", scores.softmax(-1), values))
    return torch.stack(outputs, dim=2), keys, values


# right
def by_positions(query, key, value, past_key, past_value):
    """The mask compares positions; the scores of the past and of the new are joined."""
    past, new = past_key.shape[2], key.shape[2]
    size = math.sqrt(query.shape[3])
    scores = torch.cat([query @ past_key.mT / size, query @ key.mT / size], dim=-1)
    own = torch.arange(past, past + new)[:, None]
    hidden = torch.arange(past + new) > own
    weights = torch.softmax(scores.masked_fill(hidden, float("-inf")), dim=-1)
    output = weights[..., :past] @ past_value + weights[..., past:] @ value
    return output, torch.cat([past_key, key], 2), torch.cat([past_value, value], 2)


# right
def by_added(query, key, value, past_key, past_value):
    """Minus infinity is added, and exponentials are taken by hand."""
    keys = torch.concat([past_key, key], dim=-2)
    values = torch.concat([past_value, value], dim=-2)
    n, s = query.size(2), keys.size(2)
    bias = torch.full((n, s), -torch.inf).triu(s - n + 1)
    scores = (query / query.size(-1) ** 0.5) @ keys.transpose(2, 3) + bias
    exp = (scores - scores.amax(-1, keepdim=True)).exp()
    return exp / exp.sum(-1, keepdim=True) @ values, keys, values


# wrong: the mask is turned round
def future_in_sight(query, key, value, past_key, past_value):
    keys, values = torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)
    scores = query @ keys.mT / query.shape[-1] ** 0.5
    hidden = causal_mask(query.shape[2], keys.shape[2])
    return scores.masked_fill(hidden, -math.inf).softmax(-1) @ values, keys, values


# wrong: calls torch's attention
# named: forbidden
def by_torch(query, key, value, past_key, past_value):
    keys, values = torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)
    return F.scaled_dot_product_attention(query, keys, values, is_causal=True), keys, values


# wrong: returns the output alone
# says: 3 things
def output_alone(*args):
    return checks.cached_attend.exercise.reference(*args)[0]


# wrong: joins past and new along the heads
def along_the_heads(query, key, value, past_key, past_value):
    keys, values = torch.cat((past_key, key), 1), torch.cat((past_value, value), 1)
    return query @ keys.mT @ values, keys, values


# wrong: attends to the new tokens alone
# named: past_not_seen
# points: 2
def no_past(query, key, value, past_key, past_value):
    n = query.shape[2]
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    scores = scores.masked_fill(torch.ones(n, n).triu(1).bool(), -math.inf)
    out = scores.softmax(-1) @ value
    return out, torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)


# wrong: a new token sees nothing of the new tokens before it
# named: new_before_hidden
# points: 3
def new_before_hidden_too(query, key, value, past_key, past_value):
    k, v = torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)
    n, p = query.shape[2], past_key.shape[2]
    s = query @ k.mT / query.shape[-1] ** 0.5
    m = torch.cat((torch.ones(n, p), torch.eye(n)), 1).bool()
    return s.masked_fill(~m, -math.inf).softmax(-1) @ v, k, v


# wrong: the triangle without its diagonal
# named: itself_hidden
def strictly_before(query, key, value, past_key, past_value):
    keys, values = torch.cat([past_key, key], -2), torch.cat([past_value, value], -2)
    past, new = past_key.shape[-2], key.shape[-2]
    places = torch.arange(past + new)
    mask = places[None] < past + torch.arange(new)[:, None]
    scores = query @ keys.mT / query.shape[-1] ** 0.5
    weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
    return weights @ values, keys, values


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for batch, heads, past_len, new_len, size in (
        (2, 1, 4, 1, 3),
        (1, 3, 1, 4, 2),
        (2, 2, 0, 2, 5),
        (1, 2, 6, 3, 6),
    ):
        new = [randn(batch, heads, new_len, size) for _ in range(3)]
        yield *new, *(randn(batch, heads, past_len, size) for _ in range(2))
