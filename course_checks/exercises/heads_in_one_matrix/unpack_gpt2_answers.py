"""Answers to unpack_gpt2 (lesson 04, exercise 6), right and wrong, as students write them."""

import functools

import torch


# right
def columns(weight):
    return [part.T for part in weight.split(len(weight), dim=1)]


# right
def permuted(weight):
    return weight.reshape(len(weight), 3, len(weight)).permute(1, 2, 0).unbind()


# wrong: every third column, not turned round
# named: every_third
def every_third_column_not_turned(weight):
    return weight[:, 0::3], weight[:, 1::3], weight[:, 2::3]


# wrong: takes the first block for the keys
# named: query_key_exchanged
def key_query_value(weight):
    key, query, value = weight.T.chunk(3)
    return query, key, value


# wrong: keys and values exchanged
# named: key_value_exchanged
def key_value_swapped(weight):
    q, v, k = weight.T.chunk(3)
    return q, k, v


# wrong: forgets to turn the blocks round
# named: not_transposed
def no_transpose(weight):
    return tuple(weight.chunk(3, dim=1))


# wrong: starts each block one column too early
# named: one_column_early
def overlapping_blocks(weight):
    d = weight.shape[0]
    return weight[:, :d].T, weight[:, d - 1 : 2 * d - 1].T, weight[:, 2 * d - 1 : 3 * d - 1].T


# wrong: the first block three times
# named: query_for_all
def query_three_times(weight):
    w = weight[:, : weight.shape[0]].T
    return w, w, w


# wrong: rot90, a quarter turn, instead of a transpose
# named: mirrored
def rotated(weight):
    return tuple(torch.rot90(part) for part in weight.chunk(3, dim=1))


# wrong: turns the weight itself round
# named: changes_input
# points: 4
def turned_in_place(weight):
    return weight.t_().chunk(3)


# wrong: takes the blocks from the last one
# named: value_first
def value_key_query(weight):
    v, k, q = weight.T.chunk(3)
    return q, k, v


# wrong: the value block is left input first, and only it
# points: 3
def value_untransposed(weight):
    d = weight.shape[0]
    return weight[:, :d].mT, weight[:, d : 2 * d].mT, weight[:, 2 * d :]


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    yield from ((randn(d_model, 3 * d_model),) for d_model in (3, 5, 8))
