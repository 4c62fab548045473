"""Answers to attend_to_chosen (lesson 17, exercise 6), right and wrong, as students write them."""

import math

import torch


# right
def right_gather(query, key, value, index_scores, k):
    heads, n, d = query.shape
    k = min(k, n)
    future = torch.triu(torch.ones(n, n), 1) == 1
    wanted = index_scores.masked_fill(future, float("-inf"))
    which = wanted.topk(k).indices
    place = which.reshape(1, n * k, 1).expand(heads, -1, -1)
    keys = key.gather(1, place.expand(-1, -1, d)).view(heads, n, k, d)
    values = value.gather(1, place.expand(-1, -1, value.shape[2])).view(heads, n, k, -1)
    scores = (keys @ query.unsqueeze(-1)).squeeze(-1) / math.sqrt(d)
    hidden = future.gather(1, which)
    weights = scores.masked_fill(hidden, float("-inf")).softmax(-1)
    output = (weights.unsqueeze(2) @ values).squeeze(2)
    chosen = torch.zeros(n, n, dtype=torch.bool)
    chosen[torch.arange(n)[:, None], which] = True
    return output, chosen & ~future


# right
def right_rows(query, key, value, index_scores, k):
    n = query.shape[1]
    output = torch.zeros(query.shape[0], n, value.shape[2])
    chosen = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        best = index_scores[i, : i + 1].topk(min(k, i + 1)).indices
        chosen[i, best] = True
        scores = (key[:, best] @ query[:, i, :, None])[..., 0] / math.sqrt(query.shape[2])
        output[:, i] = (scores.softmax(-1)[:, None] @ value[:, best])[:, 0]
    return output, chosen


# wrong: all scores, and a mask
# named: masked_only
def mask(query, key, value, index_scores, k):
    n = query.shape[1]
    future = torch.ones(n, n).triu(1).bool()
    best = index_scores.masked_fill(future, -math.inf).topk(min(k, n)).indices
    chosen = torch.zeros(n, n).scatter(1, best, 1).bool() & ~future
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    return scores.masked_fill(~chosen, -math.inf).softmax(-1) @ value, chosen


# wrong: head by head, all scores, and those of the chosen keys picked out
# named: masked_only
def picked(query, key, value, index_scores, k):
    n = query.shape[1]
    future = torch.ones(n, n).triu(1).bool()
    best = index_scores.masked_fill(future, -math.inf).topk(min(k, n)).indices
    outputs = []
    for q, ks, v in zip(query, key, value):
        scores = (q @ ks.T / math.sqrt(q.shape[1])).masked_fill(future, -math.inf)
        weights = scores.gather(1, best).softmax(-1)
        outputs.append(torch.einsum("qk,qkd->qd", weights, v[best]))
    chosen = torch.zeros(n, n).scatter(1, best, 1).bool() & ~future
    return torch.stack(outputs), chosen


# wrong: no causal mask
# named: future_chosen
def sees_the_future(query, key, value, index_scores, k):
    n = query.shape[1]
    best = index_scores.topk(min(k, n)).indices
    scores = torch.einsum("hqd,hqkd->hqk", query, key[:, best]) / math.sqrt(query.shape[2])
    output = torch.einsum("hqk,hqkd->hqd", scores.softmax(-1), value[:, best])
    return output, torch.zeros(n, n).scatter(1, best, 1).bool()


# wrong: the first queries are filled up
# named: future_fills_up
def filled_up(query, key, value, index_scores, k):
    n = query.shape[1]
    future = torch.ones(n, n).triu(1).bool()
    best = index_scores.masked_fill(future, -math.inf).topk(min(k, n)).indices
    scores = torch.einsum("hqd,hqkd->hqk", query, key[:, best]) / math.sqrt(query.shape[2])
    output = torch.einsum("hqk,hqkd->hqd", scores.softmax(-1), value[:, best])
    return output, torch.zeros(n, n).scatter(1, best, 1).bool()


# wrong: the first head chooses
# named: by_the_first_head
def first_head(query, key, value, index_scores, k):
    n = query.shape[1]
    future = torch.ones(n, n).triu(1).bool()
    wanted = (query[0] @ key[0].T).masked_fill(future, -math.inf)
    best = wanted.topk(min(k, n))
    hidden = best.values == -math.inf
    scores = torch.einsum("hqd,hqkd->hqk", query, key[:, best.indices]) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(hidden, -math.inf).softmax(-1)
    output = torch.einsum("hqk,hqkd->hqd", weights, value[:, best.indices])
    return output, torch.zeros(n, n).scatter(1, best.indices, 1).bool() & ~future


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


# wrong: the last k keys
# named: the_last_ones
def window(query, key, value, index_scores, k):
    n = query.shape[1]
    back = torch.arange(n)[:, None] - torch.arange(n)
    best = (torch.arange(n)[:, None] - torch.arange(min(k, n))).clamp(min=0)
    chosen = (back >= 0) & (back < k)
    hidden = torch.arange(n)[:, None] < torch.arange(min(k, n))
    scores = torch.einsum("hqd,hqkd->hqk", query, key[:, best]) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(hidden, -math.inf).softmax(-1)
    return torch.einsum("hqk,hqkd->hqd", weights, value[:, best]), chosen


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
def cut_later(query, key, value, index_scores, k):
    n = query.shape[1]
    future = torch.ones(n, n).triu(1).bool()
    best = index_scores.masked_fill(future, -math.inf).topk(min(k, n)).indices
    chosen = torch.zeros(n, n).scatter(1, best, 1).bool() & ~future
    scores = query @ key.transpose(1, 2) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(future, -math.inf).softmax(-1)
    return (weights * chosen) @ value, chosen


# wrong: the lowest scores
# named: the_lowest
def smallest(query, key, value, index_scores, k):
    n = query.shape[1]
    future = torch.ones(n, n).triu(1).bool()
    best = index_scores.masked_fill(future, math.inf).topk(min(k, n), largest=False)
    hidden = best.values == math.inf
    scores = torch.einsum("hqd,hqkd->hqk", query, key[:, best.indices]) / math.sqrt(query.shape[2])
    weights = scores.masked_fill(hidden, -math.inf).softmax(-1)
    output = torch.einsum("hqk,hqkd->hqd", weights, value[:, best.indices])
    return output, torch.zeros(n, n).scatter(1, best.indices, 1).bool() & ~future


# wrong: all scores of each query, row by row
# named: masked_only
def row_by_row(query, key, value, index_scores, k):
    out, seen = [], torch.zeros_like(index_scores).bool()
    for i in range(key.shape[1]):
        best = index_scores[i, : i + 1].topk(min(k, i + 1)).indices
        seen[i, best] = True
        s = (query[:, i : i + 1] @ key.mT / math.sqrt(query.shape[-1]))[..., best]
        out.append(s.softmax(-1) @ value[:, best])
    return torch.cat(out, 1), seen


# wrong: all scores of each query, with a mask in each row
# named: masked_only
def row_by_row_and_masked(query, key, value, index_scores, k):
    out, seen = [], torch.zeros_like(index_scores).bool()
    for i in range(key.shape[1]):
        seen[i, index_scores[i, : i + 1].topk(min(k, i + 1)).indices] = True
        s = (query[:, i : i + 1] * key).sum(-1) / math.sqrt(query.shape[-1])
        out.append((s.masked_fill(~seen[i], -math.inf).softmax(-1)[:, None] @ value)[:, 0])
    return torch.stack(out, 1), seen


# wrong: the score of each past key, one after the other
# named: masked_only
def one_score_at_a_time(query, key, value, index_scores, k):
    heads, n, d = query.shape
    output, seen = torch.zeros(heads, n, value.shape[-1]), torch.zeros(n, n).bool()
    for i in range(n):
        seen[i, index_scores[i, : i + 1].topk(min(k, i + 1)).indices] = True
        for h in range(heads):
            s = torch.stack([query[h, i].dot(key[h, j]) for j in range(i + 1)]) / math.sqrt(d)
            s = s.masked_fill(~seen[i, : i + 1], -math.inf)
            output[h, i] = s.softmax(dim=0) @ value[h, : i + 1]
    return output, seen


# wrong: all scores, in vmap over the heads and the queries
# named: masked_only
def by_vmap(query, key, value, index_scores, k):
    n, d = query.shape[1:]
    past = index_scores.masked_fill(torch.ones(n, n).triu(1).bool(), -math.inf)
    seen = torch.zeros(n, n).scatter(1, past.topk(min(k, n)).indices, 1).bool() & (past > -math.inf)

    def one_head(q, keys):
        return torch.vmap(lambda row: keys @ row / math.sqrt(d))(q)

    scores = torch.vmap(one_head)(query, key)
    return scores.masked_fill(~seen, -math.inf).softmax(dim=-1) @ value, seen
