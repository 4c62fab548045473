"""Answers to add_learned (lesson 07, exercise 2), right and wrong, as students write them."""

import functools

import torch
import torch.nn.functional as F

from course_lib import LearnedPositions


# right
def embedding(x, table, offset):
    places = torch.arange(offset, offset + x.size(1))
    return x + F.embedding(places, table).unsqueeze(0).expand_as(x)


# right
def loop(x, table, offset):
    return torch.stack([x[:, t] + table[offset + t] for t in range(x.shape[-2])], dim=1)


# right
def rolled(x, table, offset):
    return table.roll(-offset, 0)[: x.size(-2)] + x


# wrong: counts the rows with the batch axis
def batch_axis(x, table, offset):
    rows = torch.arange(offset, offset + x.size(0))
    return x + table[rows][:, None, :]


# wrong: places beyond 16 all get row 16
def clamped_places(x, table, offset):
    places = torch.arange(offset, offset + x.shape[1]).clamp(max=16)
    return x + table[places.clamp(max=len(table) - 1)]


# wrong: reads table.data, so the table gets no gradient
# named: cut_off
# points: 5
def data(x, table, offset):
    return x + table.data[offset : offset + x.shape[1]]


# wrong: adds to x in place
# named: changes_input
# points: 5
def in_place_2(x, table, offset):
    x += table[offset : offset + x.shape[1]]
    return x


# wrong: calls the course's own module
# named: forbidden
def library(x, table, offset):
    module = LearnedPositions(*table.shape)
    return torch.func.functional_call(module, {"weight": table}, (x, offset))


# wrong: the places go on counting from one sentence to the next
# named: numbered_on
def places_run_through_the_batch(x, table, offset):
    batch, length, d_model = x.shape
    places = (offset + torch.arange(batch * length)) % len(table)
    return x + table[places].view(batch, length, d_model)


# wrong: where batch and length are equal, the rows go along the batch
def transposed_axes(x, table, offset):
    rows = table[offset : offset + x.shape[1]]
    return x + (rows[:, None] if x.shape[0] == x.shape[1] else rows)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape, max_len, offset in (((2, 5, 3), 9, 0), ((4, 2, 6), 7, 3), ((3, 1, 2), 5, 4)):
        yield randn(*shape), randn(max_len, shape[-1]), offset
