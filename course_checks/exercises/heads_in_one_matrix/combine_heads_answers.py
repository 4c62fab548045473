"""Answers to combine_heads (lesson 04, exercise 2), right and wrong, as students write them."""

import torch


# wrong: concatenates along the time
# named: one_below_the_other
def along_time(heads):
    return torch.cat(heads.unbind(1), dim=1)


# wrong: repeats the mean of the heads
# named: averaged
def averaged_and_repeated(heads):
    return heads.mean(dim=1).repeat(1, 1, heads.shape[1])


# wrong: loses the batch in the reshape
# named: batch_lost
def batch_lost(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.transpose(1, 2).reshape(-1, num_heads * head_dim)


# wrong: the loop over the tensor runs over the batch, not the heads
def cat_over_batch(heads):
    return torch.cat([head for head in heads], dim=-1)


# wrong: cuts the gradient
# named: detached
def detached(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.detach().transpose(1, 2).reshape(batch, seq_len, num_heads * head_dim)


# right
def einsum_loop(heads):
    b, h, t, d = heads.shape
    out = heads.new_zeros(b, t, h * d)
    for i in range(h):
        out[..., i * d : (i + 1) * d] = heads[:, i]
    return out


# wrong: handles the first sentence of the batch only
def first_sentence(heads):
    return torch.cat(list(heads[0]), dim=-1).unsqueeze(0)


# wrong: flattens the last two axes without a transpose
# named: tokens_merged
def flatten_without_transpose(heads):
    return heads.flatten(2)


# wrong: repeats head 0
# named: first_head_repeated
def head_0_repeated(heads):
    return heads[:, 0].repeat(1, 1, heads.shape[1])


# wrong: transposes heads and features before the reshape
# named: wrong_axes
def heads_features_transposed(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.transpose(1, 3).reshape(batch, seq_len, num_heads * head_dim)


# wrong: the last head comes first
# named: order_reversed
def heads_reversed(heads):
    return torch.cat(heads.unbind(1)[::-1], dim=-1)


# right
def hstack(heads):
    return torch.cat(heads.unbind(dim=1), dim=2)


# wrong: feature 0 of all heads comes first
# named: interleaved
def interleave(heads):
    return heads.permute(0, 2, 3, 1).flatten(2)


# wrong: feature 0 of all heads first, then feature 1 of all heads
# named: interleaved
def interleaved(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.permute(0, 2, 3, 1).reshape(batch, seq_len, num_heads * head_dim)


# wrong: merges the batch into the features
def no_batch(heads):
    return heads.transpose(1, 2).reshape(heads.shape[2], -1)[None]


# wrong: reshapes straight to the right shape without a transpose
# named: not_transposed_back
def reshape(heads):
    b, h, t, d = heads.shape
    return heads.contiguous().view(b, t, h * d)


# wrong: reshapes straight to the final shape
# named: not_transposed_back
def reshaped_directly(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.reshape(batch, seq_len, num_heads * head_dim)


# right
def right_cat_of_heads(heads):
    return torch.cat([heads[:, i] for i in range(heads.shape[1])], dim=-1)


# right
def right_loop_and_copy(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    joined = heads.new_zeros(batch, seq_len, num_heads * head_dim)
    for b in range(batch):
        for t in range(seq_len):
            joined[b, t] = torch.cat([heads[b, i, t] for i in range(num_heads)])
    return joined


# right
def right_permute_flatten(heads):
    return heads.permute(0, 2, 1, 3).flatten(start_dim=2)


# right
def right_stack_behind_time(heads):
    return torch.stack(heads.unbind(1), dim=2).flatten(2)


# right
def right_sum_of_placed_heads(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    place = torch.eye(num_heads * head_dim, dtype=heads.dtype).view(num_heads, head_dim, -1)
    return torch.einsum("bhtd,hdk->btk", heads, place)


# wrong: combines sentence 0 only
# named: first_sentence_only
def sentence_0_only(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    joined = heads[0].transpose(0, 1).reshape(seq_len, num_heads * head_dim)
    return joined.expand(batch, seq_len, num_heads * head_dim)


# wrong: squeezes, which drops a batch of one sentence
# named: squeezed
def squeezed(heads):
    return heads.transpose(1, 2).flatten(2).squeeze()


# wrong: adds the heads up and repeats the sum instead of laying them side by side
def sum_repeated(heads):
    return heads.sum(dim=1).repeat(1, 1, heads.shape[1])


# wrong: adds the heads up
# named: summed
def summed(heads):
    return heads.sum(dim=1)


# wrong: puts the time first and reshapes as if the batch were first
# named: tokens_before_sentences
def time_before_batch(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.permute(2, 0, 1, 3).reshape(batch, seq_len, num_heads * head_dim)


# wrong: the tokens come out in reversed order
# named: tokens_reversed
def time_reversed(heads):
    return heads.transpose(1, 2).flatten(2).flip(1)


# wrong: turns the axes of the input itself
# named: changes_input
def transposed_in_place(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.transpose_(1, 2).reshape(batch, seq_len, num_heads * head_dim)


# wrong: transposes and stops there
# named: not_merged
def transposed_not_merged(heads):
    return heads.transpose(1, 2)


# wrong: joins the first two heads, however many there are
# named: first_two_heads
def two_heads_only(heads):
    return torch.cat((heads[:, 0], heads[:, 1]), dim=-1)


# wrong: view, which refuses what a transpose gives
def view_after_transpose(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.transpose(1, 2).view(batch, seq_len, num_heads * head_dim)


# wrong: transposes time and features before the reshape
# named: tokens_with_features
def wrong_axes_transposed(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.transpose(2, 3).reshape(batch, seq_len, num_heads * head_dim)


# wrong: heads before the batch, and joined
# named: heads_before_batch
def joined_from_heads_first(heads):
    b, h, t, d = heads.shape
    return heads.transpose(0, 1).reshape(b, t, h * d)
