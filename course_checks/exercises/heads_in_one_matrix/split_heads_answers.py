"""Answers to split_heads (lesson 04, exercise 1), right and wrong, as students write them."""

import math

import torch

from course_lib import MultiHeadAttention


# wrong: throws the batch into the tokens
def batch_of_one(x, num_heads):
    head_dim = x.shape[-1] // num_heads
    return x.reshape(-1, num_heads, head_dim).transpose(0, 1).unsqueeze(0)


# wrong: one reshape to the target shape, without a transpose, cutting the sequence
# named: heads_before_time
def cut_batch_view(x, num_heads):
    return x.reshape(x.shape[0], num_heads, -1, x.shape[2] // num_heads)


# wrong: cuts the tokens in num_heads parts, not the features
# named: tokens_cut
def cuts_the_time(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.reshape(batch, num_heads, seq_len // num_heads, d_model)


# wrong: gives every num_heads-th feature to a head
# named: interleaved
def dealt_like_cards(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.view(batch, seq_len, d_model // num_heads, num_heads).permute(0, 3, 1, 2)


# wrong: cuts the gradient
# named: detached
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


# wrong: puts the heads in front of the batch
# named: heads_first
def heads_before_batch(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.view(batch, seq_len, num_heads, d_model // num_heads).permute(2, 0, 1, 3)


# wrong: stacks the heads in front of the batch
# named: heads_first
def heads_in_front(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1))


# wrong: the last block of features becomes head 0
# named: order_reversed
def heads_reversed(x, num_heads):
    batch, seq_len, d_model = x.shape
    heads = x.view(batch, seq_len, num_heads, d_model // num_heads).transpose(1, 2)
    return heads.flip(1)


# wrong: takes every num_heads-th feature for a head, not a block of neighbours
# named: interleaved
def interleaved(x, num_heads):
    return torch.stack([x[..., i::num_heads] for i in range(num_heads)], dim=1)


# wrong: returns a list of heads, not one tensor
# named: separate_tensors
def list_of_heads(x, num_heads):
    return [part for part in x.chunk(num_heads, dim=-1)]


# wrong: cuts the features but leaves the heads behind the time
# named: no_transpose
def no_transpose(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.view(batch, seq_len, num_heads, d_model // num_heads)


# wrong: leaves the heads behind the tokens
# named: no_transpose
def no_transpose_2(x, num_heads):
    return x.unflatten(-1, (num_heads, -1))


# wrong: takes num_heads for the features of one head
# named: sizes_exchanged
def num_heads_as_head_dim(x, num_heads):
    batch, seq_len, _ = x.shape
    return x.view(batch, seq_len, -1, num_heads).transpose(1, 2)


# wrong: the permute puts the head features before the tokens: (batch, heads, head_dim, seq_len)
# named: features_before_tokens
def permute_wrong(x, num_heads):
    b, t, d = x.shape
    return x.view(b, t, num_heads, d // num_heads).permute(0, 2, 3, 1)


# right
def right_features_first(x, num_heads):
    batch, seq_len, d_model = x.shape
    columns = x.transpose(1, 2).reshape(batch, num_heads, d_model // num_heads, seq_len)
    return columns.transpose(2, 3)


# right
def right_index_arithmetic(x, num_heads):
    head_dim = x.shape[-1] // num_heads
    features = torch.arange(x.shape[-1]).view(num_heads, head_dim)
    return x[:, :, features].permute(0, 2, 1, 3)


# right
def right_loop_and_copy(x, num_heads):
    batch, seq_len, d_model = x.shape
    head_dim = d_model // num_heads
    heads = torch.empty(batch, num_heads, seq_len, head_dim, dtype=x.dtype)
    for b in range(batch):
        for i in range(num_heads):
            heads[b, i] = x[b, :, i * head_dim : (i + 1) * head_dim]
    return heads


# right
def right_stack_of_chunks(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)


# right
def right_unflatten(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).movedim(-2, 1)


# right
def right_vmap_over_sentences(x, num_heads):
    def one(sentence):
        return sentence.view(sentence.shape[0], num_heads, -1).transpose(0, 1)

    return torch.vmap(one)(x)


# wrong: divides by the root of head_dim as well
# named: scaled
def scaled_2(x, num_heads):
    batch, seq_len, d_model = x.shape
    head_dim = d_model // num_heads
    return x.view(batch, seq_len, num_heads, head_dim).transpose(1, 2) / math.sqrt(head_dim)


# wrong: splits sentence 0 and shows it for every sentence
# named: first_sentence_only
def sentence_0_only(x, num_heads):
    batch, seq_len, d_model = x.shape
    first = x[0].view(seq_len, num_heads, d_model // num_heads).transpose(0, 1)
    return first.expand(batch, num_heads, seq_len, d_model // num_heads)


# wrong: torch.split wants the size of a piece, not the number of pieces
# named: sizes_exchanged
def split_by_count(x, num_heads):
    return torch.stack(x.split(num_heads, dim=-1), dim=1)


# wrong: squeezes, which drops every axis of length 1
# named: squeezed
def squeezed(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.view(batch, seq_len, num_heads, d_model // num_heads).transpose(1, 2).squeeze()


# wrong: turns every dtype into float32
# named: dtype
def through_float(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.float().view(batch, seq_len, num_heads, d_model // num_heads).transpose(1, 2)


# wrong: takes the time for the first axis, as in old PyTorch code
# named: time_first
def time_first(x, num_heads):
    batch, seq_len, d_model = x.shape
    heads = x.reshape(seq_len, batch * num_heads, d_model // num_heads).transpose(0, 1)
    return heads.reshape(batch, num_heads, seq_len, d_model // num_heads)


# wrong: exchanges axes 1 and 3
# named: tokens_with_features
def transpose_1_3(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.view(batch, seq_len, num_heads, d_model // num_heads).transpose(1, 3)


# wrong: transposes first and reshapes to the final shape after
# named: transposed_too_early
def transposed_before_reshape(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.transpose(1, 2).reshape(batch, num_heads, seq_len, d_model // num_heads)


# wrong: two heads, whatever num_heads says
# named: two_heads
def two_heads_always(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.view(batch, seq_len, 2, d_model // 2).transpose(1, 2)


# right
def unfold(x, num_heads):
    step = x.size(-1) // num_heads
    return x.unfold(2, step, step).movedim(2, 1)


# wrong: reshapes straight to the shape that is asked for
# named: heads_before_time
def viewed_into_shape(x, num_heads):
    batch, seq_len, d_model = x.shape
    return x.view(batch, num_heads, seq_len, d_model // num_heads)


# wrong: every head gets all features
# named: whole_for_all
def whole_x_for_all(x, num_heads):
    return x.unsqueeze(1).repeat(1, num_heads, 1, 1)
