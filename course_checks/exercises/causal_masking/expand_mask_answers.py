"""Answers to expand_mask (lesson 05, exercise 5), right and wrong, as students write them."""

import torch


# wrong: lets a pair count only if every sentence allows it
# named: merged
def all_sentences_and(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.all(dim=0)
    return mask.expand(batch, heads, *mask.shape[-2:])


# right
def and_with_ones(mask, batch, heads):
    if mask.ndim == 3:
        mask = mask[:, None]
    return torch.ones((batch, heads, 1, 1), dtype=torch.bool, device=mask.device) & mask


# wrong: puts an axis behind the first one of any mask
# named: always_unsqueezed
def axis_1_always(mask, batch, heads):
    mask = mask.unsqueeze(1)
    return mask.expand(batch, heads, *mask.shape[-2:])


# wrong: puts an axis behind the first one of masks of 2 dimensions too
# named: two_unsqueezed
def axis_1_for_2_and_3(mask, batch, heads):
    if mask.dim() < 4:
        mask = mask.unsqueeze(1)
    return mask.expand(batch, heads, *mask.shape[-2:])


# wrong: puts the axis of the heads behind the queries
# named: heads_behind_queries
def axis_at_2(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.unsqueeze(2)
    return mask.expand(batch, heads, -1, mask.shape[-1])


# wrong: returns (batch * heads, query_len, key_len), as nn.MultiheadAttention takes it
def batch_times_heads(mask, batch, heads):
    if mask.dim() == 3:
        return mask.repeat_interleave(heads, dim=0)
    return mask.expand(batch, heads, *mask.shape[-2:]).reshape(batch * heads, *mask.shape[-2:])


# right
def broadcast(mask, batch, heads):
    q, k = mask.shape[-2:]
    a = {2: lambda: mask.view(1, 1, q, k), 3: lambda: mask.reshape(-1, 1, q, k), 4: lambda: mask}[
        mask.ndim
    ]()
    return a & torch.ones(batch, heads, q, k, dtype=torch.bool, device=mask.device)


# wrong: expands a 3-D mask as if it were one for each head
# named: aligned_to_heads
def broadcast_alone(mask, batch, heads):
    return mask.expand(batch, heads, *mask.shape[-2:])


# wrong: returns a shape that broadcasts but is not the one asked for
# named: not_expanded
def broadcastable_only(mask, batch, heads):
    if mask.dim() == 2:
        return mask[None, None]
    if mask.dim() == 3:
        return mask[:, None]
    return mask


# wrong: takes a 3-D mask for one for each head where its size is heads
# named: per_head_where_it_fits
def by_heads_first(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[None] if mask.shape[0] == heads else mask[:, None]
    return mask.expand(batch, heads, *mask.shape[-2:])


# wrong: tells the masks apart by their first size instead of their dimensions
# named: by_first_size
def by_the_first_size(mask, batch, heads):
    if mask.dim() < 4 and mask.shape[0] == batch:
        mask = mask[:, None]
    return mask.expand(batch, heads, *mask.shape[-2:])


# wrong: takes a first axis as long as the batch for the batch, also in a mask of two dimensions
# named: by_first_size
def decides_by_size(mask, batch, heads):
    if mask.shape[0] == batch and mask.dim() < 4:
        mask = mask.unsqueeze(1)
    return mask.expand(batch, heads, *mask.shape[-2:])


# wrong: returns the right shape as float numbers instead of booleans
# named: dtype
def float_numbers(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.unsqueeze(1)
    return mask * torch.ones(batch, heads, 1, 1)


# wrong: ones and zeros as floats
# named: dtype
def floats(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[:, None]
    return mask.float() * torch.ones(batch, heads, *mask.shape[-2:])


# wrong: returns a floating-point mask
# named: dtype
def floats_2(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.unsqueeze(1)
    return mask.float().expand(batch, heads, mask.shape[-2], mask.shape[-1])


# wrong: returns a mask of four dimensions with its 1s
# named: four_as_it_is
def four_dimensions_as_they_are(mask, batch, heads):
    if mask.dim() == 4:
        return mask
    if mask.dim() == 3:
        mask = mask[:, None]
    return mask.expand(batch, heads, *mask.shape[-2:])


# wrong: the mask of head 0 for all heads
# named: first_head_only
def head_0_for_all(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[:, None]
    elif mask.dim() == 4:
        mask = mask[:, :1]
    return mask.expand(batch, heads, *mask.shape[-2:])


# wrong: (heads, batch, query_len, key_len)
# named: heads_first
def heads_before_batch(mask, batch, heads):
    if mask.dim() == 4:
        mask = mask.transpose(0, 1)
    return mask.expand(heads, batch, *mask.shape[-2:])


# wrong: repeats the masks in turn and cuts them up as if in blocks
# named: repeated
def heads_repeated_in_turn(mask, batch, heads):
    if mask.dim() == 3:
        return mask.repeat(heads, 1, 1).view(batch, heads, *mask.shape[-2:])
    return mask.expand(batch, heads, *mask.shape[-2:])


# wrong: puts the axis into the caller's own mask
# named: changes_input
def in_place_axis(mask, batch, heads):
    if mask.dim() == 3:
        mask.unsqueeze_(1)
    return mask.expand(batch, heads, *mask.shape[-2:])


# wrong: turns True and False round
# named: inverted
def inverted(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[:, None]
    return ~mask.expand(batch, heads, *mask.shape[-2:])


# wrong: keeps the row of query 0 for all queries, as for padding
def keys_only(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[:, None]
    mask = mask[..., :1, :]
    return mask.expand(batch, heads, mask.shape[-1], mask.shape[-1])


# wrong: puts the new axis in front
# named: aligned_to_heads
def one_for_each_head(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.unsqueeze(0)
    return mask.expand(batch, heads, mask.shape[-2], mask.shape[-1])


# wrong: repeats a mask of four dimensions that is complete already
# named: four_repeated
def repeat(mask, batch, heads):
    if mask.dim() == 2:
        return mask.repeat(batch, heads, 1, 1)
    if mask.dim() == 3:
        return mask[:, None].repeat(1, heads, 1, 1)
    return mask.repeat(batch, heads, 1, 1)


# wrong: repeats the masks head-major, so (batch, heads) of a 3-D mask are mixed up
# named: repeated
def repeat_view(mask, batch, heads):
    if mask.dim() == 2:
        return mask[None, None].expand(batch, heads, -1, -1)
    if mask.dim() == 3:
        return mask.repeat(heads, 1, 1).view(batch, heads, *mask.shape[-2:])
    return mask.expand(batch, heads, -1, -1)


# wrong: repeats batch and heads times, whatever the sizes are
# named: four_repeated
def repeats_all(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[:, None]
        return mask.repeat(1, heads, 1, 1)
    return mask.repeat(batch, heads, 1, 1)


# right
def right_broadcast_with_ones(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.unsqueeze(1)
    return torch.ones(batch, heads, *mask.shape[-2:], dtype=torch.bool) & mask


# right
def right_loop(mask, batch, heads):
    full = torch.zeros(batch, heads, *mask.shape[-2:], dtype=torch.bool)
    for b in range(batch):
        for h in range(heads):
            if mask.dim() == 2:
                full[b, h] = mask
            elif mask.dim() == 3:
                full[b, h] = mask[b]
            else:
                full[b, h] = mask[b % mask.shape[0], h % mask.shape[1]]
    return full


# right
def right_repeat_interleave(mask, batch, heads):
    q, k = mask.shape[-2:]
    if mask.dim() == 3:
        return mask.repeat_interleave(heads, dim=0).view(batch, heads, q, k)
    return torch.broadcast_to(mask, (batch, heads, q, k))


# right
def right_stack(mask, batch, heads):
    if mask.dim() == 2:
        mask = torch.stack([mask] * batch)
    if mask.dim() == 3:
        mask = torch.stack([mask] * heads, dim=1)
    if mask.shape[0] == 1:
        mask = torch.cat([mask] * batch)
    if mask.shape[1] == 1:
        mask = torch.cat([mask] * heads, dim=1)
    return mask


# right
def right_views(mask, batch, heads):
    if mask.dim() == 2:
        mask = mask.view(1, 1, *mask.shape)
    elif mask.dim() == 3:
        mask = mask[:, None]
    return mask.expand(batch, heads, *mask.shape[-2:])


# wrong: the mask of sentence 0 for all
# named: first_sentence_only
def sentence_0_for_all(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[0]
    return mask.expand(batch, heads, *mask.shape[-2:])


# wrong: takes key_len for query_len as well
def square_masks_only(mask, batch, heads):
    n = mask.shape[-1]
    if mask.dim() == 3:
        mask = mask[:, None]
    return mask.expand(batch, heads, n, n)


# wrong: exchanges queries and keys
# named: transposed
def transposed(mask, batch, heads):
    mask = mask.transpose(-2, -1)
    if mask.dim() == 3:
        mask = mask[:, None]
    return mask.expand(batch, heads, *mask.shape[-2:])


# wrong: two sentences and two heads, as in the example
# named: example_sizes
def two_heads_always(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[:, None]
    return mask.expand(2, 2, *mask.shape[-2:])


# wrong: views a mask of three dimensions with batch and heads mixed up
# named: repeated
def view_for_three(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask.repeat(heads, 1, 1).reshape(batch, heads, *mask.shape[1:])
    return mask.expand(batch, heads, *mask.shape[-2:])
