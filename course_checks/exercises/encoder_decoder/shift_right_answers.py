"""Answers to shift_right (lesson 09, exercise 1), right and wrong, as students write them."""

import torch
import torch.nn.functional as F


# wrong: writes into the target
# named: changes_input
def in_place(target, start):
    target[:, 1:] = target[:, :-1].clone()
    target[:, 0] = start
    return target


# wrong: the last token stays, one position too many
# named: last_kept
def keeps_last(target, start):
    return torch.cat([torch.full((len(target), 1), start, dtype=target.dtype), target], dim=1)


# wrong: the start token replaces the first token, nothing moves
# named: first_dropped
def replaces_first(target, start):
    read = target.clone()
    read[:, 0] = start
    return read


# right
def right_hstack(target, start):
    column = target.new_full((target.shape[0], 1), start)
    return torch.hstack([column, target])[:, :-1]


# right
def right_zeros_filled(target, start):
    read = torch.zeros_like(target)
    read[:, 1:] = target[:, :-1]
    read[:, 0] = start
    return read


# wrong: roll without dims, and nothing put in front
# named: rolled_through_the_rows
def rolls_without_dims(target, start):
    return torch.roll(target, 1)


# wrong: shifts the sentences
# named: over_sentences
def shifts_batch(target, start):
    read = target.roll(1, dims=0)
    read[0] = start
    return read


# wrong: drops the first token and puts the start token at the end
# named: shifted_left
def shifts_left(target, start):
    column = torch.full_like(target[:, :1], start)
    return torch.cat([target[:, 1:], column], dim=-1)


# wrong: F.pad puts a zero in front
# named: zero_in_front
def start_zero(target, start):
    return F.pad(target[:, :-1], (1, 0))
