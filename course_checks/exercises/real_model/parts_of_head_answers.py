"""Answers to parts_of_head (lesson 16, exercise 3), right and wrong, as students write them."""

import math

import torch


# wrong: groups of three, as the real model has, whatever the numbers are
# named: groups_of_three
def as_in_the_real_model(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // 3
    return w_q[head * n : (head + 1) * n], w_k[kv * n : (kv + 1) * n], w_v[kv * n : (kv + 1) * n]


# wrong: columns instead of rows
# named: columns
def columns(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // (num_heads // num_kv_heads)
    query = w_q[:, head * n : (head + 1) * n]
    return query, w_k[:, kv * n : (kv + 1) * n], w_v[:, kv * n : (kv + 1) * n]


# wrong: columns, transposed so that the shape looks right
# named: columns
def columns_turned(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // (num_heads // num_kv_heads)
    query, key, value = w_q.T[head * n : (head + 1) * n], w_k.T, w_v.T
    return query, key[kv * n : (kv + 1) * n], value[kv * n : (kv + 1) * n]


# wrong: .data cuts the gradients off
# named: cut_off
def data(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // (num_heads // num_kv_heads)
    own = slice(kv * n, (kv + 1) * n)
    return w_q.data[head * n : (head + 1) * n], w_k.data[own], w_v.data[own]


# right
def dictionary(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    head_dim = len(w_q) // num_heads
    group = num_heads // num_kv_heads
    owner = {}
    for kv in range(num_kv_heads):
        for i in range(group):
            owner[kv * group + i] = kv

    def rows(weight, which):
        return weight.narrow(0, which * head_dim, head_dim).clone()

    return rows(w_q, head), rows(w_k, owner[head]), rows(w_v, owner[head])


# wrong: divides by the number of key heads
# named: divided_by_kv_heads
def divided_wrongly(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // num_kv_heads
    return w_q[head * n : (head + 1) * n], w_k[kv * n : (kv + 1) * n], w_v[kv * n : (kv + 1) * n]


# wrong: divides by the number of key heads, and the index runs out of range
# named: divided_by_kv_heads
def divided_wrongly_indexed(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // num_kv_heads
    shape = num_kv_heads, n, -1
    return w_q[head * n : (head + 1) * n], w_k.view(shape)[kv], w_v.view(shape)[kv]


# wrong: key head 0 for all
# named: key_head_0
def first_key_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    return w_q[head * n : (head + 1) * n], w_k[:n], w_v[:n]


# wrong: head_dim is d_model // num_heads
# named: head_dim_of_d_model
def from_d_model(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = w_q.shape[1] // num_heads
    kv = head // (num_heads // num_kv_heads)
    return w_q[head * n : (head + 1) * n], w_k[kv * n : (kv + 1) * n], w_v[kv * n : (kv + 1) * n]


# wrong: head_dim of the keys is d_model // num_kv_heads
# named: wide_keys
def from_d_model_and_key_heads(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    m = w_k.shape[1] // num_kv_heads
    kv = head // (num_heads // num_kv_heads)
    return w_q[head * n : (head + 1) * n], w_k[kv * m : (kv + 1) * m], w_v[kv * m : (kv + 1) * m]


# wrong: heads counted from 1
# named: counted_from_one
def from_one(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    head = head - 1
    kv = head // (num_heads // num_kv_heads)
    return w_q[head * n : (head + 1) * n], w_k[kv * n : (kv + 1) * n], w_v[kv * n : (kv + 1) * n]


# wrong: the first rows of each matrix
# named: head_ignored
def front_rows(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    return w_q[:n], w_k[:n], w_v[:n]


# wrong: the query from under the key head's number too
# named: query_of_the_key_head
def group_for_the_query(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    head = head // (num_heads // num_kv_heads)
    own = slice(head * n, (head + 1) * n)
    return w_q[own], w_k[own], w_v[own]


# wrong: the query holds the rows of the whole group
# named: whole_group
def group_of_queries(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    kv = head // (num_heads // num_kv_heads)
    return tuple(w.chunk(num_kv_heads)[kv] for w in (w_q, w_k, w_v))


# wrong: splits the rows into (head_dim, num_heads)
# named: interleaved
def head_behind_head_dim(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    kv = head * num_kv_heads // num_heads
    d = w_q.shape[1]
    query = w_q.reshape(-1, num_heads, d)[:, head]
    key, value = (w.reshape(-1, num_kv_heads, d)[:, kv] for w in (w_k, w_v))
    return query, key, value


# wrong: the rows of all three in one matrix
def in_one_tensor(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // (num_heads // num_kv_heads)
    own = slice(kv * n, (kv + 1) * n)
    return torch.cat((w_q[head * n : (head + 1) * n], w_k[own], w_v[own]))


# right
def masks(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    head_dim = len(w_q) // num_heads
    mine = torch.arange(len(w_q)) // head_dim == head
    shared = torch.arange(len(w_k)) // head_dim == head * num_kv_heads // num_heads
    return [w_q[mine], w_k[shared], w_v[shared]]


# wrong: deals the heads out like cards
# named: dealt_like_cards
def modulo(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head % num_kv_heads
    return w_q[head * n : (head + 1) * n], w_k[kv * n : (kv + 1) * n], w_v[kv * n : (kv + 1) * n]


# wrong: the key head has the query head's number
# named: own_number
def own_number(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    return tuple(w[head * n : (head + 1) * n] for w in (w_q, w_k, w_v))


# wrong: the key head has the query head's number, and the last one serves for the rest
# named: own_number
def own_number_or_last(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = min(head, num_kv_heads - 1)
    return w_q[head * n :][:n], w_k[kv * n :][:n], w_v[kv * n :][:n]


# right
def repeat_interleave(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    head_dim = w_k.shape[0] // num_kv_heads
    share = num_heads // num_kv_heads
    key_of = torch.arange(num_kv_heads).repeat_interleave(share)
    kv = int(key_of[head])
    rows = torch.arange(head_dim)
    return w_q[head * head_dim + rows], w_k[kv * head_dim + rows], w_v[kv * head_dim + rows]


# right
def reshape(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    d_model = w_q.shape[1]
    queries = w_q.reshape(num_kv_heads, num_heads // num_kv_heads, -1, d_model)
    group, member = divmod(head, num_heads // num_kv_heads)
    keys = w_k.reshape(num_kv_heads, -1, d_model)
    values = w_v.reshape(num_kv_heads, -1, d_model)
    return queries[group, member], keys[group], values[group]


# right
def rounding_down(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    shared = math.floor(head * num_kv_heads / num_heads)
    return (
        w_q.tensor_split(num_heads)[head],
        w_k.tensor_split(num_kv_heads)[shared],
        w_v.tensor_split(num_kv_heads)[shared],
    )


# wrong: divides the rows of w_q by the number of key heads
# named: head_dim_by_key_heads
def rows_by_key_heads(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_kv_heads
    kv = head // (num_heads // num_kv_heads)
    return w_q[head * n : (head + 1) * n], w_k[kv * n : (kv + 1) * n], w_v[kv * n : (kv + 1) * n]


# wrong: 64 rows a head, whatever the numbers are
# named: sixty_four_rows
def rows_of_64(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    kv = head // (num_heads // num_kv_heads)
    query = w_q[head * 64 : (head + 1) * 64]
    return query, w_k[kv * 64 : (kv + 1) * 64], w_v[kv * 64 : (kv + 1) * 64]


# wrong: repeats single rows where whole heads should be repeated
# named: rows_repeated
def rows_repeated(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    group = num_heads // num_kv_heads
    n = len(w_q) // num_heads
    wide_k = w_k.repeat_interleave(group, dim=0)
    wide_v = w_v.repeat_interleave(group, dim=0)
    return tuple(w[head * n : (head + 1) * n] for w in (w_q, wide_k, wide_v))


# wrong: one row of each
# named: one_row
def single_row(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    kv = head // (num_heads // num_kv_heads)
    return w_q[head], w_k[kv], w_v[kv]


# right
def slices(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = w_q.shape[0] // num_heads
    g = head // (num_heads // num_kv_heads)
    return w_q[head * n : head * n + n], w_k[g * n : g * n + n], w_v[g * n : g * n + n]


# wrong: begins at row head, not head * head_dim
# named: begins_too_early
def starts_at_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // (num_heads // num_kv_heads)
    return w_q[head : head + n], w_k[kv : kv + n], w_v[kv : kv + n]


# wrong: every num_heads-th row
# named: interleaved
def strided(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    kv = head // (num_heads // num_kv_heads)
    return w_q[head::num_heads], w_k[kv::num_kv_heads], w_v[kv::num_kv_heads]


# wrong: cuts keys and values in num_heads pieces
# named: thin_keys
def thin(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    def rows(weight):
        n = weight.shape[0] // num_heads
        return weight[head * n : (head + 1) * n]

    return rows(w_q), rows(w_k), rows(w_v)


# wrong: repeats the whole matrix, so that head 1 gets key head 1
# named: dealt_like_cards
def tiled(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    group = num_heads // num_kv_heads
    w_k, w_v = w_k.repeat(group, 1), w_v.repeat(group, 1)
    return tuple(w.view(num_heads, -1, w.shape[1])[head] for w in (w_q, w_k, w_v))


# wrong: the parts are transposed
# named: transposed
def transposed(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // (num_heads // num_kv_heads)
    parts = w_q[head * n : (head + 1) * n], w_k[kv * n : (kv + 1) * n], w_v[kv * n : (kv + 1) * n]
    return tuple(part.t() for part in parts)


# wrong: key and value exchanged
# named: key_value_exchanged
def value_before_key(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // (num_heads // num_kv_heads)
    key, value = w_k[kv * n : (kv + 1) * n], w_v[kv * n : (kv + 1) * n]
    return w_q[head * n : (head + 1) * n], value, key


# wrong: the value comes from w_k
# named: value_from_w_k
def value_is_key(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // (num_heads // num_kv_heads)
    return w_q[head * n : (head + 1) * n], w_k[kv * n : (kv + 1) * n], w_k[kv * n : (kv + 1) * n]


# wrong: value from the query head's number
# named: dealt_like_cards
def value_dealt_too(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    d = len(w_q) // num_heads
    g = head // (num_heads // num_kv_heads)
    return (
        w_q[head * d : head * d + d],
        w_k[g * d : g * d + d],
        w_v.repeat(num_heads // num_kv_heads, 1)[head * d : head * d + d],
    )
