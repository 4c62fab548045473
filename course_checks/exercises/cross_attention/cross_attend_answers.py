"""Answers to cross_attend (lesson 06, exercise 1), right and wrong, as students write them."""

import functools
import math

import torch
import torch.nn.functional as F


# right
def sdpa(x, memory, w_query, w_key, w_value):
    query, key = F.linear(x, w_query), F.linear(memory, w_key)
    identity = torch.eye(memory.shape[-2], dtype=x.dtype).expand(*x.shape[:-2], -1, -1)
    values = F.linear(memory, w_value), identity
    return [F.scaled_dot_product_attention(query, key, value) for value in values]


# right
def einsum(x, memory, *weights):
    pairs = zip((x, memory, memory), weights, strict=True)
    query, key, value = (torch.einsum("...td,hd->...th", part, w) for part, w in pairs)
    scores = torch.einsum("...ih,...jh->...ij", query * len(weights[0]) ** -0.5, key)
    shares = scores.exp() / scores.exp().sum(-1, keepdim=True)
    return torch.einsum("...ij,...jh->...ih", shares, value), shares


# right
def loop(x, memory, w_query, w_key, w_value):
    """A query at a time."""
    key, value = memory @ w_key.mT, memory @ w_value.mT
    rows = []
    for i in range(x.shape[-2]):
        query = x[..., i : i + 1, :].double() @ w_query.double().mT
        scores = query @ key.double().mT / w_query.size(0) ** 0.5
        rows.append(scores.softmax(-1).to(x.dtype))
    weights = torch.cat(rows, dim=-2)
    return weights @ value, weights


# wrong: the weights are detached, so the query and key maps get no gradient
# named: cut_off
def detached_weights(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1).detach()
    return weights @ v, weights


# wrong: with a batch, every sentence reads the memory of the first one
# named: first_memory_for_all
def first_sentence_memory(x, memory, w_query, w_key, w_value):
    if memory.dim() > 2:
        memory = memory[:1].expand(memory.shape)
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights @ v, weights


# wrong: averages the memory itself without w_value
# named: value_not_projected
# points: 3
def raw_memory(x, memory, w_query, w_key, w_value):
    q, k = x @ w_query.T, memory @ w_key.T
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ memory, weights


# wrong: x is added to the output where its width allows it
# named: x_added
def residual(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    output = weights @ v
    return (output + x if output.shape == x.shape else output), weights


# wrong: the scores are returned in the place of the weights
# named: scores_returned
# points: 2
def returns_scores(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.softmax(-1) @ v, scores


# wrong: x is scaled in place to spare memory, so the caller's x changes
# named: changes_input
# points: 6
def scaled_in_place(x, memory, w_query, w_key, w_value):
    k, v = memory @ w_key.T, memory @ w_value.T
    x /= math.sqrt(w_query.shape[0])
    weights = (x @ w_query.T @ k.mT).softmax(-1)
    return weights @ v, weights


# wrong: scaled by the width of x
# named: scaled_by_d_model
# points: 0
def by_the_width_of_x(x, memory, w_query, w_key, w_value):
    query, key, value = x @ w_query.mT, memory @ w_key.mT, memory @ w_value.mT
    weights = torch.softmax(query @ key.mT / math.sqrt(x.shape[-1]), dim=-1)
    return weights @ value, weights


# wrong: scaled by the number of keys
# named: scaled_by_key_len
# points: 0
def by_the_number_of_keys(x, memory, w_query, w_key, w_value):
    query, key, value = x @ w_query.mT, memory @ w_key.mT, memory @ w_value.mT
    weights = torch.softmax(query @ key.mT / math.sqrt(memory.shape[-2]), dim=-1)
    return weights @ value, weights


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for lead, query_len, key_len, d in (((), 4, 4, 3), ((), 5, 3, 4), ((3, 2), 2, 5, 4)):
        weights = (randn(3, d) for _ in range(3))
        yield randn(*lead, query_len, d), randn(*lead, key_len, d), *weights
