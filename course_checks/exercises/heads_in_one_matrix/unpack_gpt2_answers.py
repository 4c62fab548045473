"""Answers to unpack_gpt2 (lesson 04, exercise 6), right and wrong, as students write them."""

import numpy as np
import torch
from torch import nn


# right
def einops(weight):
    d = weight.shape[0]
    return weight.view(d, 3, d).permute(1, 2, 0).unbind(0)


# wrong: takes every third column, as if query, key and value took turns
# named: every_third
def every_third(weight):
    return weight[:, 0::3].T, weight[:, 1::3].T, weight[:, 2::3].T


# wrong: every third column, not turned round
# named: every_third
def every_third_column_not_turned(weight):
    return weight[:, 0::3], weight[:, 1::3], weight[:, 2::3]


# wrong: mirrors with flip instead of transposing
# named: mirrored
def flipped(weight):
    q, k, v = weight.chunk(3, dim=1)
    return q.flip(1), k.flip(1), v.flip(1)


# right
def hsplit(weight):
    return tuple(block.swapaxes(0, 1).contiguous() for block in weight.hsplit(3))


# wrong: transposes the caller's weight in place
# named: changes_input
def in_place_t(weight):
    weight.t_()
    return weight.chunk(3, dim=0)


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


# wrong: cuts the columns into three and forgets to turn them round
# named: not_transposed
def no_turn(weight):
    return weight.chunk(3, dim=1)


# wrong: turns the weight round and leaves it in one piece
# named: in_one_piece
def one_matrix(weight):
    return weight.T


# wrong: turns round the first block only
# named: first_turned_only
def only_the_query_turned(weight):
    q, k, v = weight.chunk(3, dim=1)
    return q.T, k, v


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


# wrong: reshapes (d, 3d) to (3d, d) instead of transposing it
# named: reshaped
def reshape(weight):
    d = weight.shape[0]
    return weight.reshape(3 * d, d).chunk(3, dim=0)


# wrong: reshapes (d, 3 d) to (3 d, d) instead of transposing
# named: reshaped
def reshape_2(weight):
    d = weight.shape[0]
    return tuple(weight.reshape(3 * d, d).chunk(3))


# right
def right_copied_into_linears(weight):
    d_model = weight.shape[0]
    parts = []
    for start in (0, d_model, 2 * d_model):
        layer = nn.Linear(d_model, d_model, bias=False, dtype=weight.dtype)
        with torch.no_grad():
            layer.weight.copy_(weight[:, start : start + d_model].T)
        parts.append(layer.weight.data)
    return tuple(parts)


# right
def right_einsum(weight):
    d_model = weight.shape[0]
    blocks = weight.view(d_model, 3, d_model)
    q, k, v = torch.einsum("inj->nji", blocks)
    return q, k, v


# right
def right_three_axes(weight):
    d_model = weight.shape[0]
    return tuple(weight.reshape(d_model, 3, d_model).permute(1, 2, 0))


# right
def right_through_numpy(weight):
    q, k, v = np.split(weight.detach().numpy(), 3, axis=1)
    return torch.from_numpy(q.T.copy()), torch.from_numpy(k.T.copy()), torch.from_numpy(v.T.copy())


# right
def right_turned_then_split(weight):
    return weight.t().split(weight.shape[0], dim=0)


# wrong: rot90, a quarter turn, instead of a transpose
# named: mirrored
def rotated(weight):
    return tuple(torch.rot90(part) for part in weight.chunk(3, dim=1))


# wrong: cuts the rows in three
# named: cut_between_rows
def rows_cut(weight):
    return weight.chunk(3, dim=0)


# wrong: a d_model of 16, as in the example
def sixteen_features(weight):
    return weight[:, :16].T, weight[:, 16:32].T, weight[:, 32:].T


# wrong: turns the weight itself round
# named: changes_input
def turned_in_place(weight):
    return weight.t_().chunk(3)


# wrong: turns the whole round, and each block once more
# named: not_transposed
def turned_twice(weight):
    return tuple(part.T for part in weight.T.chunk(3))


# wrong: takes the blocks from the last one
# named: value_first
def value_key_query(weight):
    v, k, q = weight.T.chunk(3)
    return q, k, v


# wrong: the value block is left input first, and only it
def value_untransposed(weight):
    d = weight.shape[0]
    return weight[:, :d].mT, weight[:, d : 2 * d].mT, weight[:, 2 * d :]


# wrong: views the weight straight as three squares
# named: reshaped
def viewed_as_three(weight):
    d_model = weight.shape[0]
    q, k, v = weight.reshape(3, d_model, d_model)
    return q, k, v


# wrong: views the weight as three squares and turns each round
# named: reshaped_transposed
def viewed_as_three_and_turned(weight):
    d_model = weight.shape[0]
    q, k, v = weight.reshape(3, d_model, d_model)
    return q.T, k.T, v.T
