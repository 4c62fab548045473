"""Answers to document_rule (lesson 12, exercise 6), right and wrong, as students write them."""

import functools

import torch


# right
def by_distance(documents, window, batch, head, query, key):
    distance = query - key
    reach = torch.where(head % 2 == 0, documents.shape[1], window)
    same = documents[batch, query].eq(documents[batch, key])
    return same & (distance >= 0) & (distance < reach)


# right
def loop(documents, window, batch, head, query, key):
    allowed = []
    for b, h, q, k in zip(batch, head, query, key, strict=True):
        same = documents[b, q] == documents[b, k]
        allowed.append(bool(same and k <= q and (h % 2 == 0 or q - k < window)))
    return torch.tensor(allowed)


# right
def by_or(documents, window, batch, head, query, key):
    hidden = (documents[batch, query] != documents[batch, key]) | (key > query)
    return ~(hidden | ((head & 1).bool() & (query >= key + window)))


# wrong: key >= query
# not named yet: future_only
def turned_order(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key >= query
    even = head % 2 == 0
    near = key - query < window
    return same & past & (even | near)


# wrong: not causal in even heads
# named: even_heads_see_ahead
def even_heads_see_ahead_too(documents, window, batch, head, query, key):
    near = (query - key < window) & (query >= key)
    return (documents[batch, query] == documents[batch, key]) & ((head % 2 == 0) | near)


# wrong: "and" between tensors
# says: stopped with an error
def with_and(documents, window, batch, head, query, key):
    return documents[batch, query] == documents[batch, key] and key <= query


# wrong: returns floats
# named: dtype
# points: 4
def float_rule(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    return (same & (key <= query) & ((head % 2 == 0) | (query - key < window))).float()


# wrong: documents are not compared
# named: documents_ignored
# points: 2
def any_document(documents, window, batch, head, query, key):
    same = documents[batch, query] == documents[batch, key]
    past = key <= query
    even = head % 2 == 0
    near = query - key < window
    return past & (even | near)


# other inputs
def other_inputs(generator):
    randint = functools.partial(torch.randint, generator=generator)
    for batch, heads, seq_len, window in ((1, 1, 5, 1), (2, 3, 9, 4), (4, 8, 12, 20)):
        documents = (torch.rand(batch, seq_len, generator=generator) < 0.4).cumsum(dim=1)
        sizes = (batch, heads, seq_len, seq_len)
        yield documents, window, *(randint(0, size, (80,)) for size in sizes)
