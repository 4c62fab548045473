"""Answers to unpack_neox (lesson 04, exercise 7), right and wrong, as students write them."""

import torch


# right
def chunks(weight, num_heads):
    parts = [h.chunk(3) for h in weight.chunk(num_heads)]
    return tuple(torch.cat(list(rows)) for rows in zip(*parts))


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


# wrong: reads the rows as (head_dim, 3, num_heads)
# named: sizes_exchanged
def head_dim_before_heads(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(d_model // num_heads, 3, num_heads, d_model)
    return tuple(x[:, which].reshape(d_model, d_model) for which in range(3))


# wrong: takes num_heads apart from d_model of the columns
def heads_as_third_axis(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.reshape(3, d_model, num_heads, d_model // num_heads)
    return tuple(part.transpose(0, 1).reshape(d_model, d_model) for part in x)


# wrong: the last head first
# named: heads_reversed
def heads_reversed(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(num_heads, 3, -1, d_model).flip(0)
    return tuple(x[:, w].reshape(d_model, d_model) for w in range(3))


# wrong: turns the weight round before it cuts it
# named: turned_first
def input_first(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.T.reshape(num_heads, 3, d_model // num_heads, d_model)
    return tuple(x[:, w].reshape(d_model, d_model) for w in range(3))


# wrong: takes the first rows of a head for its key
# named: query_key_exchanged
def key_query_value(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(num_heads, 3, -1, d_model)
    k, q, v = (x[:, which].reshape(d_model, d_model) for which in range(3))
    return q, k, v


# wrong: merges row 0 of all heads first, then row 1
# named: heads_interleaved
def merged_rows_first(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(num_heads, 3, d_model // num_heads, d_model)
    return tuple(x[:, w].transpose(0, 1).reshape(d_model, d_model) for w in range(3))


# wrong: leaves the heads on an axis of their own
# named: heads_apart
def not_merged(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(num_heads, 3, d_model // num_heads, d_model)
    return x[:, 0], x[:, 1], x[:, 2]


# wrong: leaves the heads as an axis of their own
# named: heads_apart
def not_merged_2(weight, num_heads):
    d = weight.shape[1]
    return weight.view(num_heads, 3, d // num_heads, d).unbind(1)


# wrong: takes num_heads for the number of rows of a head
# named: sizes_exchanged
def num_heads_as_head_dim(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(-1, 3, num_heads, d_model)
    return tuple(x[:, w].reshape(d_model, d_model) for w in range(3))


# wrong: the query part three times
# named: query_for_all
def query_for_all(weight, num_heads):
    d_model = weight.shape[1]
    q = weight.view(num_heads, 3, -1, d_model)[:, 0].reshape(d_model, d_model)
    return q, q, q


# right
def right_axes_turned(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.reshape(num_heads, 3, d_model // num_heads, d_model)
    q, k, v = x.permute(1, 0, 2, 3).reshape(3, d_model, d_model)
    return q, k, v


# right
def right_boolean_rows(weight, num_heads):
    head_dim = weight.shape[1] // num_heads
    which = torch.arange(weight.shape[0]) // head_dim % 3
    return weight[which == 0], weight[which == 1], weight[which == 2]


# right
def right_row_numbers(weight, num_heads):
    d_model = weight.shape[1]
    head_dim = d_model // num_heads
    row = torch.arange(d_model)
    start = row // head_dim * 3 * head_dim + row % head_dim
    return tuple(weight[start + which * head_dim] for which in range(3))


# right
def right_slices_of_each_head(weight, num_heads):
    q, k, v = [], [], []
    for head in weight.chunk(num_heads):
        for rows, found in zip(head.chunk(3), (q, k, v)):
            found.append(rows)
    return torch.cat(q), torch.cat(k), torch.cat(v)


# right
def right_stacked(weight, num_heads):
    """One tensor (3, d_model, d_model), which unpacks into three."""
    d_model = weight.shape[1]
    parts = weight.view(num_heads, 3, d_model // num_heads, d_model)
    return parts.transpose(0, 1).reshape(3, d_model, d_model)


# right
def right_unflatten_unbind(weight, num_heads):
    parts = weight.unflatten(0, (num_heads, 3, -1)).unbind(1)
    return tuple(part.flatten(0, 1) for part in parts)


# right
def row_numbers(weight, num_heads):
    n = len(weight) // (3 * num_heads)
    which = [[r for r in range(len(weight)) if (r // n) % 3 == j] for j in range(3)]
    return tuple(weight[torch.tensor(rows)] for rows in which)


# wrong: merges with the heads as the fast axis, so that the rows are sorted by feature
# named: heads_interleaved
def rows_by_feature(weight, num_heads):
    d = weight.shape[1]
    w = weight.view(num_heads, 3, d // num_heads, d)
    return tuple(part.transpose(0, 1).reshape(d, d) for part in w.unbind(1))


# wrong: reads 3 as the rows and head_dim as the three
# named: three_behind_rows
def three_and_rows_swapped(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(num_heads, 3, -1, d_model).transpose(1, 2)
    q, k, v = x.reshape(3, d_model, d_model)
    return q, k, v


# wrong: reads the rows as (3, num_heads, head_dim)
# named: blocks
def three_before_heads(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(3, num_heads, d_model // num_heads, d_model)
    return tuple(part.reshape(d_model, d_model) for part in x)


# wrong: takes the weight for three blocks
# named: blocks
def three_blocks(weight, num_heads):
    return weight.chunk(3, dim=0)


# wrong: reads the matrix as three blocks, queries of all heads first
# named: blocks
def three_blocks_2(weight, num_heads):
    return weight.chunk(3)


# wrong: reads the rows as (num_heads, head_dim, 3)
# named: every_third
def three_fastest(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(num_heads, d_model // num_heads, 3, d_model)
    return tuple(x[:, :, which].reshape(d_model, d_model) for which in range(3))


# wrong: takes query, key and value to alternate row by row within a head
# named: every_third
def three_fastest_2(weight, num_heads):
    d = weight.shape[1]
    w = weight.reshape(num_heads, -1, 3, d)
    return tuple(w[:, :, j].reshape(d, d) for j in range(3))


# wrong: reads the rows as (3, num_heads, head_dim), three whole blocks
# named: blocks
def three_first(weight, num_heads):
    d = weight.shape[1]
    w = weight.view(3, num_heads, d // num_heads, d)
    return tuple(w[j].flatten(0, 1) for j in range(3))


# wrong: transposes the results, as for GPT-2
# named: transposed
def transposed_out(weight, num_heads):
    d = weight.shape[1]
    w = weight.unflatten(0, (num_heads, 3, -1))
    return tuple(w[:, j].reshape(d, d).T for j in range(3))


# wrong: transposes the results, as for GPT-2
# named: transposed
def turned(weight, num_heads):
    d = weight.shape[1]
    w = weight.view(num_heads, 3, d // num_heads, d)
    return tuple(part.reshape(d, d).T for part in w.unbind(1))


# wrong: turns each result round, as for GPT-2
# named: transposed
def turned_round(weight, num_heads):
    d_model = weight.shape[1]
    x = weight.view(num_heads, 3, d_model // num_heads, d_model)
    return tuple(x[:, w].reshape(d_model, d_model).T for w in range(3))


# wrong: reads the three of a head in reversed order
# named: value_first
def value_key_query(weight, num_heads):
    d_model = weight.shape[1]
    v, k, q = weight.view(num_heads, 3, -1, d_model).unbind(1)
    return q.flatten(0, 1), k.flatten(0, 1), v.flatten(0, 1)


# wrong: takes the order query, value, key within a head
# named: key_value_exchanged
def wrong_order(weight, num_heads):
    qs, ks, vs = [], [], []
    for head in weight.chunk(num_heads):
        q, v, k = head.chunk(3)
        qs.append(q)
        ks.append(k)
        vs.append(v)
    return torch.cat(qs), torch.cat(ks), torch.cat(vs)
