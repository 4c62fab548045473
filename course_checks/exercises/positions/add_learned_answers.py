"""Answers to add_learned (lesson 07, exercise 2), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_lib import LearnedPositions


# wrong: counts the rows with the batch axis
def batch_axis(x, table, offset):
    rows = torch.arange(offset, offset + x.size(0))
    return x + table[rows][:, None, :]


# wrong: takes as many rows as there are sentences
# named: sliced_by_batch
def batch_rows(x, table, offset):
    return x + table[offset : offset + x.shape[0]]


# wrong: a row for each sentence instead of each token
# named: by_batch
def by_batch(x, table, offset):
    return x + table[offset : offset + x.shape[0]][:, None, :]


# wrong: places beyond 16 all get row 16
def clamped_places(x, table, offset):
    places = torch.arange(offset, offset + x.shape[1]).clamp(max=16)
    return x + table[places.clamp(max=len(table) - 1)]


# wrong: each token gets the sum of all rows up to its place
# named: summed_up
def cumulative(x, table, offset):
    return x + table.cumsum(0)[offset : offset + x.shape[1]]


# wrong: takes as many rows as there are features
# named: sliced_by_features
def d_model_rows(x, table, offset):
    return x + table[offset : offset + x.shape[2]]


# wrong: reads table.data, so the table gets no gradient
# named: cut_off
def data(x, table, offset):
    return x + table.data[offset : offset + x.shape[1]]


# wrong: the table is detached and never learns
# named: cut_off
def detached_table(x, table, offset):
    return x + table[offset : offset + x.shape[1]].detach()


# wrong: x is detached, so the layers below learn nothing
# named: cut_off
def detached_x(x, table, offset):
    return x.detach() + table[offset : offset + x.shape[1]]


# right
def embedding(x, table, offset):
    places = torch.arange(offset, offset + x.size(1))
    return x + F.embedding(places, table)


# right
def embedding_2(x, table, offset):
    places = torch.arange(x.shape[-2], device=x.device).add(offset)
    return torch.nn.functional.embedding(places, table).unsqueeze(0) + x


# right
def embedding_lookup(x, table, offset):
    places = torch.arange(x.shape[1], device=table.device).add(offset).expand(x.shape[:2])
    return F.embedding(places, table) + x


# wrong: the slice ends at length instead of offset + length
def end(x, table, offset):
    rows = table[offset : x.shape[1]]
    if len(rows) != x.shape[1]:
        rows = torch.cat([rows, torch.zeros(x.shape[1] - len(rows), x.shape[2], dtype=x.dtype)])
    return x + rows


# wrong: only the first sentence gets places
# named: first_sentence_only
def first_sentence_only(x, table, offset):
    rows = table[offset : offset + x.shape[1]]
    return torch.cat([x[:1] + rows, x[1:]])


# wrong: counts the places from 1
# named: one_too_far
def from_one(x, table, offset):
    return x + table[1 + offset : 1 + offset + x.shape[1]]


# wrong: nn.Embedding.from_pretrained freezes the table, no gradient reaches it
# named: cut_off
def frozen_embedding(x, table, offset):
    embedding = nn.Embedding.from_pretrained(table)
    return x + embedding(torch.arange(offset, offset + x.shape[1]))


# wrong: x itself is changed
# named: changes_input
def in_place(x, table, offset):
    with torch.no_grad():
        x += table[offset : offset + x.shape[1]]
    return x


# wrong: adds to x in place
# named: changes_input
def in_place_2(x, table, offset):
    x += table[offset : offset + x.shape[1]]
    return x


# wrong: adds to each sentence in place, which changes x
# named: changes_input
def in_place_on_a_view(x, table, offset):
    out = x.detach()
    for b in range(x.shape[0]):
        out[b] += table[offset : offset + x.shape[1]].detach()
    return x + 0


# right
def index_select(x, table, offset):
    places = torch.arange(x.shape[1]) + offset
    return torch.add(x, table.index_select(0, places).unsqueeze(0))


# wrong: the last rows of the table
# named: last_rows
def last_rows(x, table, offset):
    return x + table[len(table) - x.shape[1] :]


# wrong: calls the course's own module
# named: forbidden
def library(x, table, offset):
    module = LearnedPositions(*table.shape)
    return torch.func.functional_call(module, {"weight": table}, (x, offset))


# wrong: places are taken modulo the length of the text
def modulo_length(x, table, offset):
    places = torch.arange(offset, offset + x.shape[1]) % x.shape[1]
    return x + table[places]


# wrong: multiplies by the rows instead of adding them
# named: multiplied
def multiplied(x, table, offset):
    return x * table[offset : offset + x.shape[1]]


# right
def narrow_and_expand(x, table, offset):
    batch, length, _ = x.shape
    rows = table.narrow(0, offset, length).expand(batch, -1, -1)
    return sum((x, rows))


# wrong: makes a new nn.Parameter of the table, so the one that is given learns nothing
# named: cut_off
def new_parameter(x, table, offset):
    weight = nn.Parameter(table.detach().clone())
    return x + weight[offset : offset + x.shape[1]]


# wrong: computed under no_grad
# named: cut_off
def no_grad(x, table, offset):
    with torch.no_grad():
        return x + table[offset : offset + x.shape[1]]


# wrong: ignores the offset
# named: offset_ignored
def no_offset(x, table, offset):
    return x + table[: x.shape[1]]


# wrong: table[-offset:], the offset counted from the end
# named: rolled_on
def offset_from_the_end(x, table, offset):
    return x + table.roll(offset, 0)[: x.shape[1]]


# wrong: the row before the offset comes first where there is one
# named: one_too_early
def offset_minus_one(x, table, offset):
    start = max(offset - 1, 0)
    return x + table[start : start + x.shape[1]]


# wrong: the offset counts only when a single token comes
# named: offset_for_one_token
def offset_only_when_one_token(x, table, offset):
    start = offset if x.shape[1] == 1 else 0
    return x + table[start : start + x.shape[1]]


# right
def one_hot_product(x, table, offset):
    places = torch.arange(offset, offset + x.shape[-2])
    chosen = F.one_hot(places, table.shape[0]).to(table.dtype)
    return x + chosen @ table


# wrong: adds the row of the first place to all tokens
# named: one_row
def one_row(x, table, offset):
    return x + table[offset]


# wrong: the places go on counting from one sentence to the next
# named: numbered_on
def places_run_through_the_batch(x, table, offset):
    batch, length, d_model = x.shape
    places = (offset + torch.arange(batch * length)) % len(table)
    return x + table[places].view(batch, length, d_model)


# wrong: the first token gets the last of its rows
# named: counted_back
def reversed_rows(x, table, offset):
    return x + table[offset : offset + x.shape[1]].flip(0)


# wrong: returns the rows without x
# named: rows_alone
def rows_only(x, table, offset):
    return table[offset : offset + x.shape[1]].expand(x.shape)


# wrong: the rows are scaled by sqrt(d_model)
# named: scaled
def scaled(x, table, offset):
    return x + table[offset : offset + x.shape[1]] * math.sqrt(x.shape[-1])


# wrong: multiplies the tokens by the root of d_model first
def scaled_like_paper(x, table, offset):
    return x * math.sqrt(x.shape[-1]) + table[offset : offset + x.shape[1]]


# wrong: the slice ends at length instead of offset + length
# named: end_without_offset
def slice_end(x, table, offset):
    return x + table[offset : x.shape[1]]


# right
def token_by_token(x, table, offset):
    return torch.stack([x[:, t] + table[offset + t] for t in range(x.shape[1])], dim=1)


# wrong: torch.tensor copies the rows and cuts the gradient
# named: cut_off
def torch_tensor_of_rows(x, table, offset):
    rows = torch.tensor(table[offset : offset + x.shape[1]].tolist(), dtype=x.dtype)
    return x + rows


# wrong: where batch and length are equal, the rows go along the batch
def transposed_axes(x, table, offset):
    rows = table[offset : offset + x.shape[1]]
    return x + (rows[:, None] if x.shape[0] == x.shape[1] else rows)


# wrong: returns the sum for the first sentence, without the batch
# named: without_batch
def two_dimensions(x, table, offset):
    return (x + table[offset : offset + x.shape[1]])[0]


# right
def vmap(x, table, offset):
    rows = table[offset:][: x.shape[1]]
    return torch.vmap(lambda sentence: sentence + rows)(x)


# wrong: takes as many rows as a token has features
# named: sliced_by_features
def narrowed_by_the_width(x, table, offset):
    return x + table.narrow(0, offset, x.shape[-1])
