"""Answers to shift_right (lesson 09, exercise 1), right and wrong, as students write them."""

import functools

import torch
import torch.nn.functional as F


# right
def padded(target, start):
    return F.pad(target[:, :-1], (1, 0), value=start)


# right
def joined(target, start):
    begin = torch.full((len(target), 1), start, dtype=target.dtype)
    return torch.cat((begin, target[:, :-1]), dim=1)


# right
def loop(target, start):
    rows = [[start, *row[:-1]] for row in target.tolist()]
    return torch.tensor(rows, dtype=target.dtype)


# wrong: writes into the target
# named: changes_input
# points: 4
def in_place(target, start):
    target[:, 1:] = target[:, :-1].clone()
    target[:, 0] = start
    return target


# wrong: the last token stays, one position too many
# named: last_kept
def keeps_last(target, start):
    return torch.cat([torch.full((len(target), 1), start, dtype=target.dtype), target], dim=1)


# wrong: drops the first token and puts the start token at the end
# named: shifted_left
def shifts_left(target, start):
    column = torch.full_like(target[:, :1], start)
    return torch.cat([target[:, 1:], column], dim=-1)


# wrong: the start is a float
# named: dtype
# points: 4
def start_for_floats(target, start):
    return torch.cat((torch.full((len(target), 1), float(start)), target[:, :-1]), dim=1)


# wrong: the start is a row for one sentence
# says: stopped with an error
def start_row_alone(target, start):
    return torch.cat((torch.tensor([start]), target[:, :-1]), dim=1)


# wrong: puts nothing in front
# says: (batch, length)
def without_a_start(target, start):
    return target[:, 1:]


# other inputs
def other_inputs(generator):
    randint = functools.partial(torch.randint, generator=generator)
    for batch, length in ((1, 1), (2, 5), (3, 3), (5, 2)):
        yield randint(1, 50, (batch, length)), int(randint(50, 60, ()))
