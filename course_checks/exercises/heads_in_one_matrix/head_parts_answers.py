"""Answers to head_parts (lesson 04, exercise 5), right and wrong, as students write them."""

import torch


# wrong: head 0 whatever i is
# named: first_head_always
def always_head_0(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    return w_query[:head_dim], w_output[:, :head_dim]


# wrong: a head_dim of 4, as in the example
# named: four_wide
def blocks_of_four(w_query, w_output, num_heads, i):
    return w_query[4 * i : 4 * i + 4], w_output[:, 4 * i : 4 * i + 4]


# wrong: columns for the maker and rows for the reader
# named: both_turned
def both_turned(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    part = slice(i * head_dim, (i + 1) * head_dim)
    return w_query[:, part].T, w_output[part, :].T


# wrong: cuts into head_dim pieces of num_heads rows instead of num_heads pieces of head_dim rows
def chunk_head_dim(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    return w_query.chunk(head_dim)[i], w_output.chunk(head_dim, dim=1)[i]


# wrong: takes columns of w_query and turns them round
# named: query_columns_transposed
def columns_of_query(w_query, w_output, num_heads, i):
    d = w_query.shape[0] // num_heads
    s = slice(i * d, (i + 1) * d)
    return w_query[:, s].T, w_output[:, s]


# wrong: counts the heads from 1
# named: counted_from_1
def counted_from_one(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    part = slice((i - 1) * head_dim, i * head_dim)
    return w_query[part], w_output[:, part]


# wrong: counts the heads from the last one
# named: from_the_end
def counted_from_the_end(w_query, w_output, num_heads, i):
    return w_query.chunk(num_heads)[-i], w_output.chunk(num_heads, dim=1)[-i]


# wrong: every num_heads-th row and column
# named: interleaved
def every_num_heads_th(w_query, w_output, num_heads, i):
    return w_query[i::num_heads], w_output[:, i::num_heads]


# wrong: takes num_heads for the length of a block
# named: width_is_num_heads
def head_dim_is_num_heads(w_query, w_output, num_heads, i):
    part = slice(i * num_heads, (i + 1) * num_heads)
    return w_query[part], w_output[:, part]


# wrong: returns the maker alone
# named: maker_alone
def maker_only(w_query, w_output, num_heads, i):
    return w_query.chunk(num_heads)[i]


# wrong: makes the maker of w_output and the reader of w_query
# named: matrices_exchanged
def matrices_mixed_up(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    part = slice(i * head_dim, (i + 1) * head_dim)
    return w_output[part], w_query[:, part]


# wrong: counts the heads from 1, so it returns the block of head i - 1
def one_based(w_query, w_output, num_heads, i):
    d = w_query.shape[0] // num_heads
    lo = ((i - 1) % num_heads) * d
    return w_query[lo : lo + d, :], w_output[:, lo : lo + d]


# wrong: counts the heads from 1
# named: counted_from_1
def one_based_2(w_query, w_output, num_heads, i):
    d = w_query.shape[0] // num_heads
    return w_query[(i - 1) * d : i * d], w_output[:, (i - 1) * d : i * d]


# wrong: the end of the slice is one too early
# named: one_short
def one_row_short(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    part = slice(i * head_dim, (i + 1) * head_dim - 1)
    return w_query[part], w_output[:, part]


# wrong: writes zeros into the other heads' rows of w_query and w_output
# named: changes_input
def others_zeroed_in_place(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    part = slice(i * head_dim, (i + 1) * head_dim)
    keep = torch.zeros(w_query.shape[0], dtype=torch.bool)
    keep[part] = True
    w_query[~keep] = 0.0
    w_output[:, ~keep] = 0.0
    return w_query[part], w_output[:, part]


# wrong: rows of w_output turned round instead of its columns
# named: output_rows_transposed
def reader_of_rows(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    part = slice(i * head_dim, (i + 1) * head_dim)
    return w_query[part], w_output[part].T


# wrong: the columns of w_output begin one block too far
def reader_of_the_next_head(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    maker = w_query[i * head_dim : (i + 1) * head_dim]
    return maker, w_output.roll(-head_dim, dims=1)[:, i * head_dim : (i + 1) * head_dim]


# wrong: the right columns, turned round
# named: reader_transposed
def reader_transposed(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    part = slice(i * head_dim, (i + 1) * head_dim)
    return w_query[part], w_output[:, part].T


# wrong: views w_output straight into the shape of the readers
# named: reader_viewed
def reader_viewed(w_query, w_output, num_heads, i):
    d_model = w_query.shape[0]
    maker = w_query.view(num_heads, -1, d_model)[i]
    return maker, w_output.reshape(num_heads, d_model, -1)[i]


# right
def right_boolean_choice(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    mine = torch.arange(w_query.shape[0]) // head_dim == i
    return w_query[mine], w_output[:, mine]


# right
def right_chunks(w_query, w_output, num_heads, i):
    return w_query.chunk(num_heads, dim=0)[i], w_output.chunk(num_heads, dim=1)[i]


# right
def right_narrow(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    return w_query.narrow(0, i * head_dim, head_dim), w_output.narrow(1, i * head_dim, head_dim)


# right
def right_selection_matrix(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    select = torch.eye(w_query.shape[0], dtype=w_query.dtype)[i * head_dim : (i + 1) * head_dim]
    return select @ w_query, w_output @ select.T


# right
def right_views(w_query, w_output, num_heads, i):
    d_model = w_query.shape[0]
    maker = w_query.reshape(num_heads, -1, d_model)[i]
    reader = w_output.reshape(d_model, num_heads, -1)[:, i]
    return maker, reader


# wrong: rows of both matrices
# named: output_rows
def rows_of_both(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    part = slice(i * head_dim, (i + 1) * head_dim)
    return w_query[part], w_output[part]


# wrong: takes rows of both matrices, so the reader is no reader and has the wrong shape
# named: output_rows
def rows_of_both_2(w_query, w_output, num_heads, i):
    return w_query.chunk(num_heads)[i], w_output.chunk(num_heads)[i]


# wrong: takes rows of w_output and turns them round
# named: output_rows_transposed
def rows_turned(w_query, w_output, num_heads, i):
    maker = w_query.view(num_heads, -1, w_query.shape[1])[i]
    reader = w_output.view(num_heads, -1, w_output.shape[1])[i].T
    return maker, reader


# right
def selector(w_query, w_output, num_heads, i):
    owner = torch.arange(len(w_query)) // (len(w_query) // num_heads)
    return w_query[owner == i], w_output[:, owner == i]


# wrong: starts at row i instead of row i * head_dim
# named: start_not_multiplied
def starts_at_i(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    return w_query[i : i + head_dim], w_output[:, i : i + head_dim]


# wrong: starts at i * num_heads instead of i * head_dim
# named: start_times_num_heads
def step_by_heads(w_query, w_output, num_heads, i):
    d = len(w_query) // num_heads
    start = i * num_heads
    return w_query[start : start + d], w_output[:, start : start + d]


# wrong: returns the reader first
# named: swapped
def swapped(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    part = slice(i * head_dim, (i + 1) * head_dim)
    return w_output[:, part], w_query[part]


# wrong: returns (reader, maker) in the wrong order
# named: swapped
def swapped_2(w_query, w_output, num_heads, i):
    d = len(w_query) // num_heads
    return w_output[:, i * d : i * d + d], w_query[i * d : i * d + d]


# right
def unflatten(w_query, w_output, num_heads, i):
    return w_query.unflatten(0, (num_heads, -1))[i], w_output.unflatten(1, (num_heads, -1)).select(
        1, i
    )


# wrong: all rows up to head i
# named: up_to_head_i
def up_to_head_i(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    return w_query[: (i + 1) * head_dim], w_output[:, : (i + 1) * head_dim]


# wrong: takes head 3 for all heads behind it
def up_to_head_3(w_query, w_output, num_heads, i):
    d = w_query.shape[0] // num_heads
    i = min(i, 3)
    return w_query[i * d : (i + 1) * d], w_output[:, i * d : (i + 1) * d]
