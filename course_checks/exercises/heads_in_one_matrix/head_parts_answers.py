"""Answers to head_parts (lesson 04, exercise 5), right and wrong, as students write them."""

import functools

import torch


# right
def chunks(w_query, w_output, num_heads, i):
    return w_query.chunk(num_heads)[i], w_output.chunk(num_heads, dim=1)[i]


# right
def views(w_query, w_output, num_heads, i):
    d_model = len(w_query)
    rows = w_query.reshape(num_heads, -1, d_model)[i]
    return [rows, w_output.reshape(d_model, num_heads, -1)[:, i]]


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


# wrong: makes the maker of w_output and the reader of w_query
# named: matrices_exchanged
def matrices_mixed_up(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    part = slice(i * head_dim, (i + 1) * head_dim)
    return w_output[part], w_query[:, part]


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
# points: 4
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


# wrong: the right columns, turned round
# named: reader_transposed
def reader_transposed(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    part = slice(i * head_dim, (i + 1) * head_dim)
    return w_query[part], w_output[:, part].T


# wrong: takes rows of both matrices, so the reader is no reader and has the wrong shape
# named: output_rows
# points: 3
def rows_of_both_2(w_query, w_output, num_heads, i):
    return w_query.chunk(num_heads)[i], w_output.chunk(num_heads)[i]


# wrong: returns (reader, maker) in the wrong order
# named: swapped
def swapped_2(w_query, w_output, num_heads, i):
    d = len(w_query) // num_heads
    return w_output[:, i * d : i * d + d], w_query[i * d : i * d + d]


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for d_model, heads, i in ((6, 3, 2), (10, 2, 0), (5, 5, 3), (9, 3, 1)):
        yield randn(d_model, d_model), randn(d_model, d_model), heads, i
