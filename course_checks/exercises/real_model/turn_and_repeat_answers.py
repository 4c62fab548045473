"""Answers to turn_and_repeat (lesson 16, exercise 9), right and wrong, as students write them."""

import functools

import torch


# right
def by_list(projected, num_heads, head_dim, turn):
    heads = list(projected.split(head_dim, dim=-1))  # (batch, length, head_dim) each
    if turn is not None:
        heads = [turn(head[:, None])[:, 0] for head in heads]
    count = num_heads // len(heads)
    return torch.cat([head for head in heads for _ in range(count)], dim=-1)


# right
def expand(projected, num_heads, head_dim, turn):
    batch, length, width = projected.shape
    heads = projected.view(batch, length, width // head_dim, head_dim).permute(0, 2, 1, 3)
    heads = heads if turn is None else turn(heads)
    shared = heads.unsqueeze(2).expand(-1, -1, num_heads * head_dim // width, -1, -1)
    return shared.permute(0, 3, 1, 2, 4).reshape(batch, length, num_heads * head_dim)


# wrong: never calls turn
# named: never_turned
# points: 3
def no_turn(projected, num_heads, head_dim, turn):
    B, T, _ = projected.shape
    heads = projected.view(B, T, -1, head_dim).transpose(1, 2)
    heads = heads.repeat_interleave(num_heads // heads.shape[1], dim=1)
    return heads.transpose(1, 2).reshape(B, T, num_heads * head_dim)


# wrong: turns before it splits
# named: turned_in_one_piece
# points: 3
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


# wrong: turns with the heads in the place of the tokens
# named: turned_along_the_heads
def turn_too_early(projected, num_heads, head_dim, turn):
    B, T, _ = projected.shape
    heads = projected.view(B, T, -1, head_dim)
    if turn is not None:
        heads = turn(heads)
    heads = heads.repeat_interleave(num_heads // heads.shape[2], dim=2)
    return heads.reshape(B, T, num_heads * head_dim)


# wrong: turns only when fewer heads
# named: turned_only_if_repeated
# points: 5
def turned_only_if_repeated_too(projected, num_heads, head_dim, turn):
    h = projected.unflatten(-1, (-1, head_dim)).transpose(1, 2)
    if turn is not None and h.shape[1] < num_heads:
        h = turn(h)
    return h.repeat_interleave(num_heads // h.shape[1], 1).transpose(1, 2).flatten(2)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for num_kv_heads, num_heads, head_dim in ((1, 3, 2), (2, 4, 4), (3, 3, 2)):
        for turn in (None, torch.sin, lambda heads: heads.cumsum(dim=-2)):
            yield randn(2, 3, num_kv_heads * head_dim), num_heads, head_dim, turn
