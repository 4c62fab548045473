"""Answers to parts_of_head (lesson 16, exercise 3), right and wrong, as students write them."""

import functools

import torch


# right
def chunks(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    shared = head * num_kv_heads // num_heads
    keys, values = w_k.chunk(num_kv_heads), w_v.chunk(num_kv_heads)
    return w_q.chunk(num_heads)[head], keys[shared], values[shared]


# right
def repeated(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    """Each key head as often as it is used, as some libraries do."""
    w_q, w_k, w_v = (w.unflatten(0, (-1, w_q.shape[0] // num_heads)) for w in (w_q, w_k, w_v))
    group = num_heads // num_kv_heads
    w_k, w_v = (w.repeat_interleave(group, dim=0) for w in (w_k, w_v))
    return [w[head] for w in (w_q, w_k, w_v)]


# right
def counted(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    size = len(w_k) // num_kv_heads
    shared, last = 0, num_heads // num_kv_heads - 1
    while head > last:
        shared, last = shared + 1, last + num_heads // num_kv_heads
    parts = (w_q, head), (w_k, shared), (w_v, shared)
    return torch.stack([w.narrow(0, which * size, size) for w, which in parts])


# wrong: .data cuts the gradients off
# named: cut_off
# points: 6
def data(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // (num_heads // num_kv_heads)
    own = slice(kv * n, (kv + 1) * n)
    return w_q.data[head * n : (head + 1) * n], w_k.data[own], w_v.data[own]


# wrong: heads counted from 1
# named: counted_from_one
def from_one(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    head = head - 1
    kv = head // (num_heads // num_kv_heads)
    return w_q[head * n : (head + 1) * n], w_k[kv * n : (kv + 1) * n], w_v[kv * n : (kv + 1) * n]


# wrong: the query holds the rows of the whole group
# named: whole_group
def group_of_queries(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    kv = head // (num_heads // num_kv_heads)
    return tuple(w.chunk(num_kv_heads)[kv] for w in (w_q, w_k, w_v))


# wrong: the rows of all three in one matrix
def in_one_tensor(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // (num_heads // num_kv_heads)
    own = slice(kv * n, (kv + 1) * n)
    return torch.cat((w_q[head * n : (head + 1) * n], w_k[own], w_v[own]))


# wrong: deals the heads out like cards
# named: dealt_like_cards
# points: 3
def modulo(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head % num_kv_heads
    return w_q[head * n : (head + 1) * n], w_k[kv * n : (kv + 1) * n], w_v[kv * n : (kv + 1) * n]


# wrong: the key head has the query head's number
# named: own_number
# points: 2
def own_number(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    return tuple(w[head * n : (head + 1) * n] for w in (w_q, w_k, w_v))


# wrong: cuts keys and values in num_heads pieces
# named: thin_keys
def thin(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    def rows(weight):
        n = weight.shape[0] // num_heads
        return weight[head * n : (head + 1) * n]

    return rows(w_q), rows(w_k), rows(w_v)


# wrong: takes keys and values for as many heads as queries
# says: Was it forgotten
def chunks_of_all(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    return tuple(w.chunk(num_heads)[head] for w in (w_q, w_k, w_v))


# wrong: leaves out the values
# says: should return 3 things
def without_the_value(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    size = len(w_q) // num_heads
    return w_q[head * size : (head + 1) * size], w_k[:size]


# wrong: groups of three, as the real model has, whatever the numbers are
# named: groups_of_three
# points: 3
def as_in_the_real_model(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // 3
    return w_q[head * n : (head + 1) * n], w_k[kv * n : (kv + 1) * n], w_v[kv * n : (kv + 1) * n]


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for num_heads, num_kv_heads, head_dim, d_model in (
        (6, 2, 3, 18),
        (8, 4, 2, 16),
        (10, 2, 3, 9),
        (4, 4, 2, 6),
        (6, 3, 1, 20),
        (5, 1, 4, 20),
    ):
        rows = num_heads * head_dim, num_kv_heads * head_dim, num_kv_heads * head_dim
        weights = [randn(count, d_model) for count in rows]
        for head in (0, 1, num_heads // 2, num_heads - 1):
            yield *weights, head, num_heads, num_kv_heads
