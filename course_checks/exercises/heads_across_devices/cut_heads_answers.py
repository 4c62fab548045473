"""Answers to cut_heads (lesson 15, exercise 1), right and wrong, as students write them."""

import functools

import torch

import course_checks as checks


# right
def chunks(w_query, w_key, w_value, w_out, rank, num_devices):
    rows = [w.chunk(num_devices)[rank] for w in (w_query, w_key, w_value)]
    return [*rows, w_out.chunk(num_devices, dim=1)[rank]]


# right
def narrow(w_query, w_key, w_value, w_out, rank, num_devices):
    width = w_out.size(1) // num_devices
    first = rank * width
    cut = [torch.narrow(w, 0, first, width) for w in (w_query, w_key, w_value)]
    return (*cut, torch.narrow(w_out, 1, first, width))


# right
def index(w_query, w_key, w_value, w_out, rank, num_devices):
    numbers = torch.arange(len(w_query)).view(num_devices, -1)[rank]
    rows = [w.index_select(0, numbers) for w in (w_query, w_key, w_value)]
    return *rows, w_out[:, numbers]


# wrong: rank + 1 * width for (rank + 1) * width
# named: brackets_forgotten
# points: 2
def parentheses_forgotten(w_query, w_key, w_value, w_out, rank, num_devices):
    width = w_query.shape[0] // num_devices
    own = slice(rank * width, rank + 1 * width)
    return w_query[own], w_key[own], w_value[own], w_out[:, own]


# wrong: every n-th row
# named: in_turns
def strided(w_query, w_key, w_value, w_out, rank, num_devices):
    rows = tuple(w[rank::num_devices] for w in (w_query, w_key, w_value))
    return *rows, w_out[:, rank::num_devices]


# wrong: cuts columns of all four
# named: columns_of_qkv
def all_by_columns(w_query, w_key, w_value, w_out, rank, num_devices):
    width = w_out.shape[1] // num_devices
    own = slice(rank * width, (rank + 1) * width)
    return w_query[:, own], w_key[:, own], w_value[:, own], w_out[:, own]


# wrong: leaves W_O whole
# named: out_whole
# points: 2
def whole_w_out(w_query, w_key, w_value, w_out, rank, num_devices):
    width = len(w_query) // num_devices
    own = slice(rank * width, (rank + 1) * width)
    return w_query[own], w_key[own], w_value[own], w_out


# wrong: leaves W_O out
# says: 4 things
def three_alone(*args):
    return checks.cut_heads.exercise.reference(*args)[:3]


# wrong: scales the pieces in place
# named: changes_input
def scaled_in_place(w_query, w_key, w_value, w_out, rank, num_devices):
    width = len(w_query) // num_devices
    own = slice(rank * width, (rank + 1) * width)
    return w_query[own].add_(1.0), w_key[own], w_value[own], w_out[:, own]


# wrong: the width comes from d_model
# named: width_of_d_model
# points: 6
def width_of_d_model(w_query, w_key, w_value, w_out, rank, num_devices):
    width = w_query.shape[1] // num_devices
    own = slice(rank * width, (rank + 1) * width)
    return w_query[own], w_key[own], w_value[own], w_out[:, own]


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for features, d_model, rank, n in ((8, 3, 1, 4), (6, 6, 2, 3), (10, 4, 0, 2), (5, 5, 4, 5)):
        yield *(randn(features, d_model) for _ in range(3)), randn(d_model, features), rank, n
