"""Answers to sink_attend (lesson 14, exercise 2), right and wrong, as students write them."""

import functools
import math

import torch

from course_lib.attention.sinks import attention_with_sink


# right
def softplus(query, key, value, sink):
    """A softmax, times the share that the sink leaves: a sigmoid of logsumexp minus sink."""
    scores = torch.einsum("hqd,hkd->hqk", query, key) / query.shape[-1] ** 0.5
    share = torch.sigmoid(scores.logsumexp(dim=-1) - sink[:, None])
    weights = scores.softmax(dim=-1) * share[..., None]
    return weights @ value, weights


# right
def maximum(query, key, value, sink):
    scores = (query * query.size(-1) ** -0.5) @ key.mT
    top = torch.maximum(scores.amax(-1, keepdim=True), sink.view(-1, 1, 1))
    e = torch.exp(scores - top)
    weights = e / (e.sum(-1, keepdim=True) + torch.exp(sink.view(-1, 1, 1) - top))
    return torch.bmm(weights, value), weights


# right
def loop(query, key, value, sink):
    outputs, tables = [], []
    for h in range(len(sink)):
        scores = query[h] @ key[h].T / query.shape[2] ** 0.5
        scores = torch.hstack([scores, sink[h].expand(len(scores), 1)])
        w = torch.softmax(scores, 1)[:, :-1]
        tables.append(w)
        outputs.append(w @ value[h])
    return torch.stack(outputs), torch.stack(tables)


# wrong: always float32
# named: dtype
# points: 5
def float32(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    more = sink[:, None, None].expand(*scores.shape[:2], 1)
    weights = torch.cat((scores, more), -1).softmax(-1)[..., :-1]
    return (weights @ value).float(), weights.float()


# wrong: exp without a maximum
# named: overflows
# points: 5
def no_maximum(query, key, value, sink):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    e = scores.exp()
    weights = e / (e.sum(-1, keepdim=True) + sink.exp()[:, None, None])
    return weights @ value, weights


# wrong: all heads have the sink of the first
# named: one_for_all_heads
def sink_of_the_first_head(query, key, value, sink):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    column = sink[0].expand(*scores.shape[:2], 1)
    weights = torch.cat([scores, column], -1).softmax(-1)[..., :-1]
    return weights @ value, weights


# wrong: a sink for each query
def sink_for_each_query(query, key, value, sink):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    weights = torch.cat([scores, sink[:, None, None]], -1).softmax(-1)[..., :-1]
    return weights @ value, weights


# wrong: calls the library
# named: forbidden
def sink_by_the_library(query, key, value, sink):
    return attention_with_sink(query, key, value, sink)


# wrong: adds 1 below the line, whatever the sink is
# says: never uses
def sink_plus_one(query, key, value, sink):
    e = (query @ key.mT / query.shape[-1] ** 0.5).exp()
    weights = e / (e.sum(-1, keepdim=True) + 1)
    return weights @ value, weights


# wrong: no gradient for the sink
# named: cut_off
def sink_is_detached(query, key, value, sink):
    s = query @ key.mT / query.shape[-1] ** 0.5
    more = sink.detach().view(-1, 1, 1).expand(s.shape[0], s.shape[1], 1)
    p = torch.cat([s, more], dim=-1).softmax(dim=-1)[..., :-1]
    return p @ value, p


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for heads, query_len, key_len, size, value_dim in (
        (2, 3, 5, 4, 2),
        (3, 1, 2, 3, 3),
        (1, 4, 4, 2, 6),
    ):
        query, key = randn(heads, query_len, size), randn(heads, key_len, size)
        yield query, key, randn(heads, key_len, value_dim), randn(heads)
