"""Answers to grouped_attend (lesson 13, exercise 3), right and wrong, as students write them."""

import math

import torch


# wrong: key head 0 for all
# named: first_for_all
def first_head(query, key, value):
    share = query.size(1) // key.size(1)
    k = key[:, :1]
    v = value[:, :1]
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)


# wrong: head i asks key head i % num_kv_heads
# named: in_turns
def indices_by_remainder(query, key, value):
    share = query.size(1) // key.size(1)
    k = key[:, torch.arange(query.size(1)) % key.size(1)]
    v = value[:, torch.arange(query.size(1)) % key.size(1)]
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)


# wrong: cat instead of repeat_interleave
# named: in_turns
def joined(query, key, value):
    share = query.size(1) // key.size(1)
    k = torch.cat([key] * share, dim=1)
    v = torch.cat([value] * share, dim=1)
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)


# wrong: repeat for the keys only
# named: keys_in_turns
def keys_repeated(query, key, value):
    share = query.size(1) // key.size(1)
    k = key.repeat(1, share, 1, 1)
    v = value.repeat_interleave(share, dim=1)
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)


# wrong: the mean of the key heads
# named: averaged
def mean_head(query, key, value):
    share = query.size(1) // key.size(1)
    k = key.mean(1, keepdim=True)
    v = value.mean(1, keepdim=True)
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)


# wrong: no scale
# named: not_scaled
def no_scale(query, key, value):
    share = query.size(1) // key.size(1)
    k = key.repeat_interleave(share, dim=1)
    v = value.repeat_interleave(share, dim=1)
    scores = torch.matmul(query, k.transpose(-2, -1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)


# wrong: nothing is repeated
def not_repeated(query, key, value):
    share = query.size(1) // key.size(1)
    k = key
    v = value
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)


# wrong: softmax over the queries
# named: softmax_over_queries
def over_queries(query, key, value):
    share = query.size(1) // key.size(1)
    k = key.repeat_interleave(share, dim=1)
    v = value.repeat_interleave(share, dim=1)
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-2), v)


# wrong: repeat instead of repeat_interleave
# named: in_turns
def repeated(query, key, value):
    share = query.size(1) // key.size(1)
    k = key.repeat(1, share, 1, 1)
    v = value.repeat(1, share, 1, 1)
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)


# right
def right_groups(query, key, value):
    """Group by group: chunks of query heads with one key head each."""
    outputs = []
    for i, asks in enumerate(query.chunk(key.shape[1], dim=1)):
        scores = asks @ key[:, i : i + 1].mT / asks.shape[-1] ** 0.5
        exponentials = (scores - scores.amax(-1, keepdim=True)).exp()
        mixed = exponentials @ value[:, i : i + 1]
        outputs.append(mixed / exponentials.sum(-1, keepdim=True))
    return torch.cat(outputs, dim=1)


# right
def right_indices(query, key, value):
    share = query.size(1) // key.size(1)
    k = key[:, torch.arange(query.size(1)) // share]
    v = value[:, torch.arange(query.size(1)) // share]
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)


# right
def right_stacked(query, key, value):
    share = query.size(1) // key.size(1)
    k = torch.stack([key] * share, dim=2).flatten(1, 2)
    v = torch.stack([value] * share, dim=2).flatten(1, 2)
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)


# wrong: the scale uses the group
def scaled_by_group(query, key, value):
    share = query.size(1) // key.size(1)
    k = key.repeat_interleave(share, dim=1)
    v = value.repeat_interleave(share, dim=1)
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1) * share)
    return torch.matmul(torch.softmax(scores, dim=-1), v)


# wrong: repeat for the values only
# named: keys_in_turns
def values_repeated(query, key, value):
    share = query.size(1) // key.size(1)
    k = key.repeat_interleave(share, dim=1)
    v = value.repeat(1, share, 1, 1)
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)


# wrong: softmax over the query heads of a group
# named: softmax_over_heads
def softmax_over_the_group_too(query, key, value):
    b, h, n, d = query.shape
    g = key.shape[1]
    q = query.view(b, g, h // g, n, d)
    s = torch.einsum("bgrqd,bgkd->bgrqk", q, key) / d**0.5
    return torch.einsum("bgrqk,bgkd->bgrqd", s.softmax(2), value).reshape(b, h, n, -1)


# wrong: a fourth value head is never used
def three_value_heads(query, key, value):
    g = query.shape[1] // key.shape[1]
    k = torch.stack([key[:, h // g] for h in range(query.shape[1])], 1)
    v = torch.stack([value[:, min(h // g, 2)] for h in range(query.shape[1])], 1)
    return (query @ k.mT / math.sqrt(query.shape[-1])).softmax(-1) @ v
