"""Answers to combine_masks (lesson 06, exercise 3), right and wrong, as students write them."""

import torch

from course_checks.exercises.causal_masking.shared_answers import random_masks
from course_lib.attention import masks


# right
def product(padding, causal):
    return padding * causal


# right
def blocked(padding, causal):
    return ~(~padding | causal.logical_not())


# right
def where(padding, causal):
    return torch.where(padding, causal, False)


# wrong: padding as (batch, length), so sentences pair with queries when batch == length
def broadcast_missing(padding, causal):
    flat = padding[:, 0, 0]
    if flat.shape == causal.shape:
        return (flat & causal)[:, None, None, :].expand(-1, 1, len(causal), -1)
    return padding & causal


# wrong: the padding is not used
# named: causal_alone
def causal_only(padding, causal):
    return causal.expand(padding.shape[0], 1, *causal.shape)


# wrong: &= on an expanded clone is fine, but here it writes into the causal mask for a batch of one
# named: changes_input
def in_place(padding, causal):
    if len(padding) == 1:
        causal &= padding[0, 0]
        return causal[None, None]
    return padding & causal


# wrong: a product of integers instead of a boolean
# named: dtype
# points: 4
def int_product(padding, causal):
    return padding.int() * causal


# wrong: calls the course's own function
# named: forbidden
def library(padding, causal):
    return masks.combine_masks(padding, causal)


# wrong: builds its own causal mask instead of using the one that is given
# named: own_causal
# points: 4
def own_causal(padding, causal):
    length = padding.shape[-1]
    return padding & torch.ones(length, length, dtype=torch.bool).tril()


# wrong: the causal mask is not used
# named: padding_alone
def padding_only(padding, causal):
    return padding.expand(padding.shape[0], 1, causal.shape[0], causal.shape[1])


# wrong: returns the second mask
# named: causal_returned
def second_as_it_is(a, b):
    return b


# wrong: takes the padding of the first sentence for all
# named: first_alone
def padding_of_the_first(a, b):
    return b & a[0]


# wrong: squeezes the padding until it meets the queries
# named: squeezed
def squeezes_the_padding(a, b):
    return b & a.squeeze()


# other inputs
def other_inputs(generator):
    for batch, length in ((2, 5), (4, 4), (1, 3)):
        padding = torch.rand(batch, 1, 1, length, generator=generator) < 0.6
        yield padding, random_masks(generator, length, length)
