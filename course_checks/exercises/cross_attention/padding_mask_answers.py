"""Answers to padding_mask (lesson 06, exercise 2), right and wrong, as students write them."""

import torch

from course_lib.attention import masks


# right
def loop(lengths, max_len):
    rows = [[position < length for position in range(max_len)] for length in lengths.tolist()]
    return torch.tensor(rows).reshape(len(lengths), 1, 1, max_len)


# right
def filled(lengths, max_len):
    mask = torch.zeros(len(lengths), 1, 1, max_len, dtype=torch.bool)
    for b, length in enumerate(lengths):
        mask[b, ..., :length] = True
    return mask


# wrong: 0 and minus infinity, to be added to the scores
# named: additive
def additive(lengths, max_len):
    mask = torch.zeros(len(lengths), 1, 1, max_len)
    padded = torch.arange(max_len) >= lengths[:, None]
    return mask.masked_fill(padded[:, None, None, :], float("-inf"))


# wrong: every sentence gets the mask of the first one
# named: one_length_for_all
def first_sentence_only(lengths, max_len):
    row = torch.arange(max_len) < lengths[0]
    return row.expand(len(lengths), 1, 1, max_len)


# wrong: 1.0 and 0.0 instead of True and False
# named: dtype
# points: 5
def float_mask(lengths, max_len):
    return (torch.arange(max_len) < lengths[:, None])[:, None, None, :].float()


# wrong: the lengths are made zero-based in place, so the caller's lengths change
# named: changes_input
def lengths_changed_in_place(lengths, max_len):
    lengths -= 1
    return (torch.arange(max_len) <= lengths[:, None])[:, None, None, :]


# wrong: calls the course's own function
# named: forbidden
def library(lengths, max_len):
    return masks.padding_mask(lengths, max_len)


# wrong: length 0 takes the last row of a triangle
# named: zero_wraps
# points: 5
def row_of_a_triangle(lengths, max_len):
    return torch.ones(max_len, max_len).tril().bool()[lengths - 1][:, None, None, :]


# other inputs
def other_inputs(generator):
    for lengths, max_len in (([1, 2, 3], 3), ([5, 0], 6), ([2, 2, 1, 4], 4)):
        yield torch.tensor(lengths), max_len
