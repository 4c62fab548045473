"""Answers to grouped_attend (lesson 13, exercise 3), right and wrong, as students write them."""

import functools
import math

import torch
import torch.nn.functional as F


# right
def unflatten(query, key, value):
    """No key is repeated: the groups are a dimension that broadcasts."""
    groups = query.unflatten(1, (key.shape[1], -1))  # (batch, kv, group, query_len, head_dim)
    scores = groups @ key[:, :, None].mT / math.sqrt(query.shape[-1])
    return (scores.softmax(dim=-1) @ value[:, :, None]).flatten(1, 2)


# right
def by_folded(query, key, value):
    """The queries of a group stand one below the other, as more queries of one head."""
    batch, heads, length, size = query.shape
    folded = query.reshape(batch, key.shape[1], -1, size)
    weights = (folded @ key.mT * size**-0.5).softmax(-1)
    return (weights @ value).reshape(batch, heads, length, size)


# right
def expand(query, key, value):
    share = query.shape[1] // key.shape[1]
    b, n, s, d = key.shape
    k = key[:, :, None].expand(b, n, share, s, d).reshape(b, n * share, s, d)
    v = value[:, :, None].expand(b, n, share, s, d).reshape(b, n * share, s, d)
    return torch.softmax(torch.einsum("bhqd,bhkd->bhqk", query, k) / d**0.5, -1) @ v


# wrong: softmax over the query heads of a group
# named: softmax_over_heads
def softmax_over_the_group_too(query, key, value):
    b, h, n, d = query.shape
    g = key.shape[1]
    q = query.view(b, g, h // g, n, d)
    s = torch.einsum("bgrqd,bgkd->bgrqk", q, key) / d**0.5
    return torch.einsum("bgrqk,bgkd->bgrqd", s.softmax(2), value).reshape(b, h, n, -1)


# wrong: a fourth value head is never used
# points: 4
def three_value_heads(query, key, value):
    g = query.shape[1] // key.shape[1]
    k = torch.stack([key[:, h // g] for h in range(query.shape[1])], 1)
    v = torch.stack([value[:, min(h // g, 2)] for h in range(query.shape[1])], 1)
    return (query @ k.mT / math.sqrt(query.shape[-1])).softmax(-1) @ v


# wrong: calls torch's attention
# named: forbidden
def by_torch_grouped(query, key, value):
    return F.scaled_dot_product_attention(query, key, value, enable_gqa=True)


# wrong: does not repeat the key heads
def heads_as_they_are(query, key, value):
    return (query @ key.mT / query.shape[-1] ** 0.5).softmax(-1) @ value


# wrong: head i asks key head i % num_kv_heads
# named: in_turns
# points: 2
def indices_by_remainder(query, key, value):
    share = query.size(1) // key.size(1)
    k = key[:, torch.arange(query.size(1)) % key.size(1)]
    v = value[:, torch.arange(query.size(1)) % key.size(1)]
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for heads, kv_heads, query_len, key_len, size in (
        (4, 2, 3, 2, 3),
        (6, 3, 1, 5, 2),
        (9, 3, 2, 4, 5),
        (2, 1, 4, 4, 2),
    ):
        query, key = randn(2, heads, query_len, size), randn(2, kv_heads, key_len, size)
        yield query, key, randn(2, kv_heads, key_len, size)
