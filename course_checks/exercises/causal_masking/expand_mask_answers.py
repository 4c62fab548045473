"""Answers to expand_mask (lesson 05, exercise 5), right and wrong, as students write them."""

import torch

from course_checks.exercises.causal_masking.shared_answers import random_masks


# right
def repeat(mask, batch, heads):
    if mask.dim() == 2:
        return mask.repeat(batch, heads, 1, 1)
    if mask.dim() == 3:
        return mask.repeat_interleave(heads, dim=0).view(batch, heads, *mask.shape[1:])
    return torch.broadcast_to(mask, (batch, heads, *mask.shape[2:]))


# right
def by_and(mask, batch, heads):
    mask = mask[:, None] if mask.ndim == 3 else mask
    return mask & torch.ones(batch, heads, 1, 1, dtype=torch.bool)


# wrong: returns (batch * heads, query_len, key_len), as nn.MultiheadAttention takes it
def batch_times_heads(mask, batch, heads):
    if mask.dim() == 3:
        return mask.repeat_interleave(heads, dim=0)
    return mask.expand(batch, heads, *mask.shape[-2:]).reshape(batch * heads, *mask.shape[-2:])


# wrong: expands a 3-D mask as if it were one for each head
# named: aligned_to_heads
# points: 3
def broadcast_alone(mask, batch, heads):
    return mask.expand(batch, heads, *mask.shape[-2:])


# wrong: ones and zeros as floats
# named: dtype
def floats(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[:, None]
    return mask.float() * torch.ones(batch, heads, *mask.shape[-2:])


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


# wrong: puts the axis into the caller's own mask
# named: changes_input
def in_place_axis(mask, batch, heads):
    if mask.dim() == 3:
        mask.unsqueeze_(1)
    return mask.expand(batch, heads, *mask.shape[-2:])


# wrong: repeats batch and heads times, whatever the sizes are
# named: four_repeated
# points: 5
def repeats_all(mask, batch, heads):
    if mask.dim() == 3:
        mask = mask[:, None]
        return mask.repeat(1, heads, 1, 1)
    return mask.repeat(batch, heads, 1, 1)


# wrong: takes every mask for one per sentence
# says: as many dimensions as you think
def one_behind_the_batch(mask, batch, heads):
    return mask.view(batch, 1, *mask.shape[-2:]).expand(batch, heads, -1, -1)


# other inputs
def other_inputs(generator):
    for shape in ((4, 4), (3, 4, 4), (3, 2, 5), (3, 3, 4, 2), (1, 3, 2, 2)):
        yield random_masks(generator, *shape), 3, 3
    yield random_masks(generator, 5, 2, 2), 5, 2
