"""Answers to turn_and_repeat (lesson 16, exercise 9), right and wrong, as students write them."""

import torch

from course_lib.attention.scaled_dot_product import repeat_for_groups


# right
def view_and_back(projected, num_heads, head_dim, turn):
    B, T, _ = projected.shape
    heads = projected.view(B, T, -1, head_dim).transpose(1, 2)
    if turn is not None:
        heads = turn(heads)
    heads = heads.repeat_interleave(num_heads // heads.shape[1], dim=1)
    return heads.transpose(1, 2).reshape(B, T, num_heads * head_dim)


# right
def repeated_first(projected, num_heads, head_dim, turn):
    heads = projected.unflatten(-1, (-1, head_dim))  # (batch, length, heads, head_dim)
    count = num_heads // heads.shape[2]
    heads = torch.stack([heads] * count, dim=3).flatten(2, 3).transpose(1, 2)
    turned = heads if turn is None else turn(heads)
    return torch.cat(turned.unbind(dim=1), dim=-1)


# wrong: lets the course repeat
# named: forbidden
def of_the_course(projected, num_heads, head_dim, turn):
    B, T, _ = projected.shape
    heads = projected.view(B, T, -1, head_dim).transpose(1, 2)
    if turn is not None:
        heads = turn(heads)
    like = torch.zeros(B, num_heads, T, head_dim)
    heads, _ = repeat_for_groups(like, heads, heads)
    return heads.transpose(1, 2).reshape(B, T, num_heads * head_dim)


# wrong: repeat begins again with head 0
# named: in_turns
def repeat_whole(projected, num_heads, head_dim, turn):
    B, T, _ = projected.shape
    heads = projected.view(B, T, -1, head_dim).transpose(1, 2)
    if turn is not None:
        heads = turn(heads)
    heads = heads.repeat(1, num_heads // heads.shape[1], 1, 1)
    return heads.transpose(1, 2).reshape(B, T, num_heads * head_dim)


# wrong: forgets to repeat
# named: not_repeated
def no_repeat(projected, num_heads, head_dim, turn):
    B, T, _ = projected.shape
    heads = projected.view(B, T, -1, head_dim).transpose(1, 2)
    if turn is not None:
        heads = turn(heads)
    return heads.transpose(1, 2).flatten(2)


# wrong: never calls turn
# named: never_turned
def no_turn(projected, num_heads, head_dim, turn):
    B, T, _ = projected.shape
    heads = projected.view(B, T, -1, head_dim).transpose(1, 2)
    heads = heads.repeat_interleave(num_heads // heads.shape[1], dim=1)
    return heads.transpose(1, 2).reshape(B, T, num_heads * head_dim)


# wrong: turns before it splits
# named: turned_in_one_piece
def turn_whole(projected, num_heads, head_dim, turn):
    if turn is not None:
        projected = turn(projected.unsqueeze(1)).squeeze(1)
    B, T, _ = projected.shape
    heads = projected.view(B, T, -1, head_dim).transpose(1, 2)
    heads = heads.repeat_interleave(num_heads // heads.shape[1], dim=1)
    return heads.transpose(1, 2).reshape(B, T, num_heads * head_dim)


# wrong: views as heads before tokens
# named: split_without_transpose
def view_as_heads(projected, num_heads, head_dim, turn):
    B, T, _ = projected.shape
    heads = projected.reshape(B, -1, T, head_dim)
    if turn is not None:
        heads = turn(heads)
    heads = heads.repeat_interleave(num_heads // heads.shape[1], dim=1)
    return heads.transpose(1, 2).reshape(B, T, num_heads * head_dim)


# wrong: reshapes back without a transpose
# named: joined_without_transpose
def straight_back(projected, num_heads, head_dim, turn):
    B, T, _ = projected.shape
    heads = projected.view(B, T, -1, head_dim).transpose(1, 2)
    if turn is not None:
        heads = turn(heads)
    heads = heads.repeat_interleave(num_heads // heads.shape[1], dim=1)
    return heads.reshape(B, T, num_heads * head_dim)


# wrong: returns the heads
# named: left_as_heads
def still_heads(projected, num_heads, head_dim, turn):
    B, T, _ = projected.shape
    heads = projected.view(B, T, -1, head_dim).transpose(1, 2)
    if turn is not None:
        heads = turn(heads)
    heads = heads.repeat_interleave(num_heads // heads.shape[1], dim=1)
    return heads


# wrong: turns with the heads in the place of the tokens
# named: turned_along_the_heads
def turn_too_early(projected, num_heads, head_dim, turn):
    B, T, _ = projected.shape
    heads = projected.view(B, T, -1, head_dim)
    if turn is not None:
        heads = turn(heads)
    heads = heads.repeat_interleave(num_heads // heads.shape[2], dim=2)
    return heads.reshape(B, T, num_heads * head_dim)


# wrong: features repeated
# named: features_repeated
def features_repeated_too(projected, num_heads, head_dim, turn):
    h = projected.unflatten(-1, (-1, head_dim)).transpose(1, 2)
    if turn is not None:
        h = turn(h)
    h = h.transpose(1, 2).flatten(2)
    return h.repeat_interleave(num_heads * head_dim // h.shape[-1], -1)


# wrong: turns only when fewer heads
# named: turned_only_if_repeated
def turned_only_if_repeated_too(projected, num_heads, head_dim, turn):
    h = projected.unflatten(-1, (-1, head_dim)).transpose(1, 2)
    if turn is not None and h.shape[1] < num_heads:
        h = turn(h)
    return h.repeat_interleave(num_heads // h.shape[1], 1).transpose(1, 2).flatten(2)
