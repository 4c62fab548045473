"""Answers to attend_to_chosen (lesson 17, exercise 6), right and wrong, as students write them."""

import functools
import math

import torch
import torch.nn.functional as F

import course_checks as checks


# right
def loop(query, key, value, index_scores, k):
    """Query by query, with the keys that it has."""
    chosen, outputs = torch.zeros(index_scores.shape, dtype=torch.bool), []
    for i in range(len(index_scores)):
        best = index_scores[i, : i + 1].argsort(descending=True)[:k]
        chosen[i, best] = True
        scores = torch.einsum("hd,hkd->hk", query[:, i], key[:, best]) / query.shape[2] ** 0.5
        outputs.append(torch.einsum("hk,hkd->hd", scores.softmax(-1), value[:, best]))
    return torch.stack(outputs, 1), chosen


# right
def ranks(query, key, value, index_scores, k):
    """Ranks in place of topk, and batched products of the gathered keys."""
    length = len(index_scores)
    past = torch.arange(length) <= torch.arange(length)[:, None]
    order = index_scores.masked_fill(~past, -torch.inf).argsort(dim=1, descending=True)
    chosen = (order.argsort(dim=1) < k) & past
    order = order[:, :k]
    scores = torch.einsum("hqd,hqkd->hqk", query, key[:, order]) * query.shape[-1] ** -0.5
    scores = scores.masked_fill(~past.gather(1, order), -torch.inf)
    return torch.einsum("hqk,hqkd->hqd", scores.softmax(-1), value[:, order]), chosen


# right
def head_by_head(query, key, value, index_scores, k):
    n = key.shape[1]
    best, where = torch.topk(index_scores + torch.full((n, n), -torch.inf).triu(1), min(k, n))
    has = best.isfinite()
    outputs = []
    for q, ks, v in zip(query, key, value, strict=True):
        scores = (ks[where] @ q[:, :, None])[..., 0] / q.shape[1] ** 0.5
        weights = torch.where(has, scores, -torch.inf).softmax(1)
        outputs.append((weights[:, None] @ v[where])[:, 0])
    table = torch.zeros(n, n).scatter_(1, where, has.float()) > 0
    return torch.stack(outputs), table


# wrong: all scores, and a mask
# named: masked_only
def mask(query, key, value, index_scores, k):
    n = query.shape[1]
    future = torch.ones(n, n).triu(1).bool()
    best = index_scores.masked_fill(future, -math.inf).topk(min(k, n)).indices
    chosen = torch.zeros(n, n).scatter(1, best, 1).bool() & ~future
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    return scores.masked_fill(~chosen, -math.inf).softmax(-1) @ value, chosen


# wrong: not scaled
# named: not_scaled
def plain_scores(query, key, value, index_scores, k):
    n = query.shape[1]
    future = torch.ones(n, n).triu(1).bool()
    best = index_scores.masked_fill(future, -math.inf).topk(min(k, n))
    hidden = best.values == -math.inf
    scores = torch.einsum("hqd,hqkd->hqk", query, key[:, best.indices])
    weights = scores.masked_fill(hidden, -math.inf).softmax(-1)
    output = torch.einsum("hqk,hqkd->hqd", weights, value[:, best.indices])
    return output, torch.zeros(n, n).scatter(1, best.indices, 1).bool() & ~future


# wrong: mixed by the indexer
# named: mixed_by_the_indexer
def index_weights(query, key, value, index_scores, k):
    n = query.shape[1]
    future = torch.ones(n, n).triu(1).bool()
    best = index_scores.masked_fill(future, -math.inf).topk(min(k, n))
    output = torch.einsum("qk,hqkd->hqd", best.values.softmax(-1), value[:, best.indices])
    return output, torch.zeros(n, n).scatter(1, best.indices, 1).bool() & ~future


# wrong: cut behind the softmax
# named: cut_behind_the_softmax
# points: 3
def cut_later(query, key, value, index_scores, k):
    n = query.shape[1]
    future = torch.ones(n, n).triu(1).bool()
    best = index_scores.masked_fill(future, -math.inf).topk(min(k, n)).indices
    chosen = torch.zeros(n, n).scatter(1, best, 1).bool() & ~future
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(future, -math.inf).softmax(-1)
    return (weights * chosen) @ value, chosen


# wrong: calls torch's attention
# named: forbidden
def chosen_by_torch(query, key, value, index_scores, k):
    chosen = checks.attend_to_chosen.exercise.reference(query, key, value, index_scores, k)[1]
    return F.scaled_dot_product_attention(query, key, value, attn_mask=chosen), chosen


# wrong: the mask is of numbers
# named: dtype
# points: 7
def chosen_as_numbers(query, key, value, index_scores, k):
    answer = checks.attend_to_chosen.exercise.reference(query, key, value, index_scores, k)
    return answer[0], answer[1].float()


# wrong: each head chooses for itself
# named: by_each_head
def top_k_of_each_head(query, key, value, index_scores, k):
    length = key.shape[1]
    scores = query @ key.transpose(1, 2) / query.shape[-1] ** 0.5
    past = torch.ones(length, length, dtype=torch.bool).tril()
    scores = scores.masked_fill(~past, float("-inf"))
    best = scores.topk(min(k, length), dim=-1)
    chosen = torch.zeros_like(scores, dtype=torch.bool).scatter(-1, best.indices, True) & past
    weights = scores.masked_fill(~chosen, float("-inf")).softmax(dim=-1)
    return weights @ value, chosen


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for heads, length, head_dim, value_dim, k in (
        (2, 6, 3, 5, 2),
        (3, 4, 2, 2, 6),
        (1, 8, 5, 3, 3),
        (4, 3, 4, 2, 1),
    ):
        query, key = (randn(heads, length, head_dim) for _ in range(2))
        yield query, key, randn(heads, length, value_dim), randn(length, length), k
