"""Answers to split_heads (lesson 04, exercise 1), right and wrong, as students write them."""

import functools

import torch

from course_lib import MultiHeadAttention


# right
def permute(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).permute(0, 2, 1, 3)


# right
def chunks(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=2), dim=1)


# right
def loop(x, num_heads):
    size = x.size(2) // num_heads
    out = torch.empty(len(x), num_heads, x.size(1), size, dtype=x.dtype)
    for i in range(num_heads):
        out[:, i] = x[:, :, i * size : (i + 1) * size]
    return out


# wrong: one reshape to the target shape, without a transpose, cutting the sequence
# named: heads_before_time
def cut_batch_view(x, num_heads):
    return x.reshape(x.shape[0], num_heads, -1, x.shape[2] // num_heads)


# wrong: cuts the gradient
# named: detached
# points: 4
def detached(x, num_heads):
    batch, seq_len, d_model = x.shape
    x = x.detach()
    return x.view(batch, seq_len, num_heads, d_model // num_heads).transpose(1, 2)


# wrong: every head gets the first head_dim features
# named: first_block_for_all
def first_block_for_all(x, num_heads):
    head_dim = x.shape[-1] // num_heads
    return x[:, None, :, :head_dim].expand(-1, num_heads, -1, -1)


# wrong: calls the method of course_lib that does it
# named: forbidden
def from_course_lib(x, num_heads):
    layer = MultiHeadAttention(x.shape[-1], num_heads)
    return layer._split_heads(x)


# wrong: stacks the heads in front of the batch
# named: heads_first
def heads_in_front(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1))


# wrong: takes every num_heads-th feature for a head, not a block of neighbours
# named: interleaved
def interleaved(x, num_heads):
    return torch.stack([x[..., i::num_heads] for i in range(num_heads)], dim=1)


# wrong: leaves the heads behind the tokens
# named: no_transpose
def no_transpose_2(x, num_heads):
    return x.unflatten(-1, (num_heads, -1))


# wrong: torch.split wants the size of a piece, not the number of pieces
# named: sizes_exchanged
def split_by_count(x, num_heads):
    return torch.stack(x.split(num_heads, dim=-1), dim=1)


# wrong: turns every dtype into float32
# named: dtype
# points: 4
def through_float(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.float().view(batch, seq_len, num_heads, d_model // num_heads).transpose(1, 2)


# wrong: the last size stays d_model
# says: must multiply to
def views_with_the_width(x, n):
    return x.view(len(x), -1, n, x.shape[2])


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape, heads in (((2, 2, 6), 3), ((1, 4, 4), 4), ((3, 4, 10), 2)):
        yield randn(*shape), heads
