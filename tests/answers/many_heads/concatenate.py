"""Answers to concatenate (lesson 03, exercise 1), right and wrong, as students write them."""

import functools

import numpy as np
import torch


# wrong: permutes tokens and heads but takes the tokens for features
def all_axes_turned(heads):
    return heads.transpose(-2, -1).movedim(0, -2).flatten(-2)


# wrong: cat without dim joins along the first axis
# named: along_the_first
def along_the_first_axis(heads):
    return torch.cat(list(heads))


# wrong: puts the heads one after another along the tokens
# named: along_the_tokens
def along_the_tokens(heads):
    return torch.cat(list(heads), dim=-2)


# wrong: dim=1, which is the last axis only without a batch
# named: dimension_one
def axis_one(heads):
    return torch.cat(list(heads), dim=1)


# wrong: swaps axis 0 and 1, which brings head and token together only without a batch
def batch_for_heads(heads):
    return (
        heads.transpose(0, 1).flatten(-2)
        if heads.dim() == 3
        else torch.cat(list(heads.transpose(0, 1)), dim=-1)
    )


# wrong: exchanges only the first two axes before flattening the last two
# named: first_two_exchanged
def batch_heads_swapped(heads):
    x = heads.transpose(0, 1)
    return x.reshape(*x.shape[:-2], -1) if heads.dim() > 3 else x.reshape(x.shape[0], -1)


# right
def buffer(heads):
    n, d = heads.shape[0], heads.shape[-1]
    out = heads.new_zeros(*heads.shape[1:-1], n * d)
    for i in range(n):
        out[..., i * d : (i + 1) * d] = heads[i]
    return out


# wrong: after swapping, merges axes 1 and 2 with a fixed layout for exactly one batch dimension, and drops the other leading dimensions
def dim1(heads):
    h = heads.shape[0]
    batch, T, hd = heads.shape[-3], heads.shape[-2], heads.shape[-1]
    return heads.reshape(h, -1, T, hd).permute(1, 2, 0, 3).reshape(-1, T, h * hd)


# wrong: the features of the heads alternate
# named: interleaved
def features_interleaved(heads):
    return torch.stack(list(heads), dim=-1).flatten(-2)


# wrong: repeats head 0
# named: first_head_repeated
def first_head_repeated(heads):
    return torch.cat([heads[0] for _ in heads], dim=-1)


# wrong: drops all sentences but the first
# named: first_sentence
def first_sentence_only(heads):
    while heads.dim() > 3:
        heads = heads[:, 0]
    return torch.cat(list(heads), dim=-1)


# wrong: fills a float32 buffer whatever the dtype of the heads
# named: dtype
def float32_buffer(heads):
    num_heads, *lead, length, head_dim = heads.shape
    joined = torch.zeros(*lead, length, num_heads * head_dim)
    for i in range(num_heads):
        joined[..., i * head_dim : (i + 1) * head_dim] = heads[i]
    return joined


# wrong: copies the numbers under no_grad, so no head gets a gradient
# named: cut_off
def gradient_cut(heads):
    with torch.no_grad():
        return torch.cat(list(heads), dim=-1)


# wrong: adds the heads up
# named: summed
def heads_added(heads):
    return heads.sum(dim=0)


# wrong: moves the heads behind head_dim and merges there
# named: interleaved
def heads_moved_behind_the_features(heads):
    return heads.movedim(0, -1).reshape(*heads.shape[1:-1], -1)


# wrong: the heads come in reverse order
# named: backwards
def last_head_first(heads):
    return torch.cat(list(heads.flip(0)), dim=-1)


# wrong: the loop ends one head too early
# named: last_head_missing
def last_head_left_out(heads):
    joined = heads[0]
    for i in range(1, len(heads) - 1):
        joined = torch.cat([joined, heads[i]], dim=-1)
    return joined


# wrong: every head is replaced by the mean of the heads
# named: mean_repeated
def mean_of_the_heads_repeated(heads):
    return heads.mean(dim=0).repeat(*[1] * (heads.dim() - 2), len(heads))


# right
def movedim(heads):
    return heads.movedim(0, -2).flatten(start_dim=-2)


# wrong: goes through NumPy, which cuts the gradient
# named: cut_off
def numpy(heads):
    return torch.from_numpy(np.concatenate(list(heads.detach().numpy()), axis=-1))


# wrong: the permute expects exactly one batch dimension
def permute_four(heads):
    H, B, T, D = heads.shape
    return heads.permute(1, 2, 0, 3).reshape(B, T, H * D)


# wrong: reshapes to the right shape without moving the heads beside their features
# named: reshaped
def plain_reshape(heads):
    return heads.reshape(*heads.shape[1:-1], heads.shape[0] * heads.shape[-1])


# wrong: reshapes without moving the heads next to their features
# named: reshaped
def reshape_at_once(heads):
    num_heads, *lead, length, head_dim = heads.shape
    return heads.reshape(*lead, length, num_heads * head_dim)


# wrong: the heads come last one first
# named: backwards
def last_head_first_by_number(heads):
    return torch.cat([heads[-1 - i] for i in range(len(heads))], dim=-1)


# right
def right_feature_by_feature(heads):
    columns = [head[..., j] for head in heads for j in range(heads.shape[-1])]
    return torch.stack(columns, dim=-1)


# right
def right_filled_buffer(heads):
    num_heads, head_dim = heads.shape[0], heads.shape[-1]
    joined = heads.new_empty(*heads.shape[1:-1], num_heads * head_dim)
    for i in range(num_heads):
        joined[..., i * head_dim : (i + 1) * head_dim] = heads[i]
    return joined


# right
def right_growing(heads):
    return functools.reduce(lambda a, b: torch.cat((a, b), -1), heads)


# right
def right_unbind(heads):
    return torch.cat(heads.unbind(0), dim=-1)


# wrong: the sizes of the example are written into the view
def sizes_of_the_example(heads):
    return heads.movedim(0, -2).reshape(2, 8, 64)


# wrong: squeezes, so dimensions of size 1 vanish
# named: squeezed
def squeezed(heads):
    return torch.cat(list(heads), dim=-1).squeeze()


# wrong: torch.stack, which makes a new dimension
# named: stacked
def stacked(heads):
    return torch.stack(list(heads), dim=-2)


# wrong: joins heads 0 and 1 only
# named: two_heads
def two_heads_only(heads):
    return torch.cat([heads[0], heads[1]], dim=-1)


# wrong: moves the heads in front of the tokens instead of behind them before the reshape
def view_tokens(heads):
    h, hd = heads.shape[0], heads.shape[-1]
    x = heads.movedim(0, -3)
    return x.reshape(*x.shape[:-3], x.shape[-2], h * hd)
