"""Answers to unpack_neox (lesson 04, exercise 7), right and wrong, as students write them."""

import functools

import torch


# right
def chunks(weight, num_heads):
    pieces = weight.chunk(3 * num_heads)  # query, key, value of head 0, query of head 1, ...
    return tuple(torch.cat(pieces[i::3]) for i in range(3))


# right
def rows(weight, num_heads):
    size = len(weight) // (3 * num_heads)
    which = torch.arange(len(weight)) // size % 3
    return [weight[which == i] for i in range(3)]


# wrong: every third row
# named: every_third
def every_third_row(weight, num_heads):
    return weight[0::3], weight[1::3], weight[2::3]


# wrong: 4 heads, as in the example
# named: four_heads
def four_heads_always(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(4, 3, d_model // 4, d_model)
    return tuple(x[:, w].reshape(d_model, d_model) for w in range(3))


# wrong: returns the rows of head 0 only
# named: first_head_only
def head_0_only(weight, num_heads):
    head_dim = weight.shape[1] // num_heads
    return weight[:head_dim], weight[head_dim : 2 * head_dim], weight[2 * head_dim : 3 * head_dim]


# wrong: head 0 for all heads
# named: first_head_repeated
def head_0_repeated(weight, num_heads):
    head_dim = weight.shape[1] // num_heads
    q, k, v = weight[: 3 * head_dim].chunk(3)
    return q.repeat(num_heads, 1), k.repeat(num_heads, 1), v.repeat(num_heads, 1)


# wrong: takes num_heads apart from d_model of the columns
def heads_as_third_axis(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.reshape(3, d_model, num_heads, d_model // num_heads)
    return tuple(part.transpose(0, 1).reshape(d_model, d_model) for part in x)


# wrong: the query part three times
# named: query_for_all
# points: 3
def query_for_all(weight, num_heads):
    d_model = weight.shape[1]
    q = weight.view(num_heads, 3, -1, d_model)[:, 0].reshape(d_model, d_model)
    return q, q, q


# wrong: reads the three of a head in reversed order
# named: value_first
def value_key_query(weight, num_heads):
    d_model = weight.shape[1]
    v, k, q = weight.view(num_heads, 3, -1, d_model).unbind(1)
    return q.flatten(0, 1), k.flatten(0, 1), v.flatten(0, 1)


# wrong: takes the order query, value, key within a head
# named: key_value_exchanged
# points: 3
def wrong_order(weight, num_heads):
    qs, ks, vs = [], [], []
    for head in weight.chunk(num_heads):
        q, v, k = head.chunk(3)
        qs.append(q)
        ks.append(k)
        vs.append(v)
    return torch.cat(qs), torch.cat(ks), torch.cat(vs)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for d_model, heads in ((6, 3), (10, 2), (5, 5), (4, 1)):
        yield randn(3 * d_model, d_model), heads
