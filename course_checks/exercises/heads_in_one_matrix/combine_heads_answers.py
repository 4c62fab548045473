"""Answers to combine_heads (lesson 04, exercise 2), right and wrong, as students write them."""

import functools

import torch


# right
def cat(heads):
    return torch.cat(heads.unbind(dim=1), dim=-1)


# right
def contiguous(heads):
    heads = heads.permute(0, 2, 1, 3).contiguous()
    return heads.view(*heads.shape[:2], -1)


# right
def einsum(heads):
    return torch.einsum("bhtd->bthd", heads).flatten(2)


# wrong: cuts the gradient
# named: detached
# points: 4
def detached(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.detach().transpose(1, 2).reshape(batch, seq_len, num_heads * head_dim)


# wrong: the last head comes first
# named: order_reversed
def heads_reversed(heads):
    return torch.cat(heads.unbind(1)[::-1], dim=-1)


# wrong: combines sentence 0 only
# named: first_sentence_only
def sentence_0_only(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    joined = heads[0].transpose(0, 1).reshape(seq_len, num_heads * head_dim)
    return joined.expand(batch, seq_len, num_heads * head_dim)


# wrong: the tokens come out in reversed order
# named: tokens_reversed
def time_reversed(heads):
    return heads.transpose(1, 2).flatten(2).flip(1)


# wrong: turns the axes of the input itself
# named: changes_input
# points: 4
def transposed_in_place(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.transpose_(1, 2).reshape(batch, seq_len, num_heads * head_dim)


# wrong: makes as many rows as there are heads
# named: heads_for_tokens
def as_many_rows_as_heads(heads):
    y = heads.transpose(1, 2)
    return y.reshape(len(y), heads.shape[1], -1)


# wrong: heads before the batch, and joined
# named: heads_before_batch
def joined_from_heads_first(heads):
    b, h, t, d = heads.shape
    return heads.transpose(0, 1).reshape(b, t, h * d)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape in ((3, 2, 4, 2), (1, 4, 1, 3), (2, 2, 5, 1), (4, 4, 4, 4)):
        yield (randn(*shape),)
