"""Answers to combine_masks (lesson 06, exercise 3), right and wrong, as students write them."""

import math

import torch

from course_lib.attention import masks


# wrong: adds the masks, and the sum of booleans is an or
# named: or_for_and
def added(padding, causal):
    return padding + causal


# wrong: 0 where allowed and minus infinity where not
# named: additive
def additive(padding, causal):
    return torch.zeros(padding.shape[0], 1, *causal.shape).masked_fill(
        ~(padding & causal), -math.inf
    )


# right
def all_of_a_stack(padding, causal):
    return torch.stack(torch.broadcast_tensors(padding, causal)).all(dim=0)


# right
def boolean_product(padding, causal):
    return padding * causal


# wrong: the padding hides keys and queries
# named: queries_too
def both_sides(padding, causal):
    return padding & padding.transpose(-2, -1) & causal


# wrong: padding as (batch, length), so sentences pair with queries when batch == length
def broadcast_missing(padding, causal):
    flat = padding[:, 0, 0]
    if flat.shape == causal.shape:
        return (flat & causal)[:, None, None, :].expand(-1, 1, len(causal), -1)
    return padding & causal


# wrong: takes True in the causal mask to mean blocked
# named: not_causal
def causal_inverted(padding, causal):
    return padding & ~causal


# wrong: the padding is not used
# named: causal_alone
def causal_only(padding, causal):
    return causal.expand(padding.shape[0], 1, *causal.shape)


# wrong: the causal mask is transposed, queries see the future
# named: future_alone
def causal_transposed(padding, causal):
    return padding & causal.T


# wrong: turns the causal mask round, so the future is shown
# named: future_alone
def causal_transposed_2(padding, causal):
    return torch.logical_and(padding, causal.T)


# right
def de_morgan(padding, causal):
    hidden = ~padding | ~causal
    return ~hidden


# right
def einsum(padding, causal):
    keys = padding[:, 0, 0].float()
    return torch.einsum("bk,qk->bqk", keys, causal.float()).bool().unsqueeze(1)


# wrong: allows what one of the masks allows
# named: or_for_and
def either(padding, causal):
    return padding | causal


# wrong: allowed where both masks say the same
# named: equal
def equal(padding, causal):
    return padding == causal


# wrong: the padding of the first sentence for the whole batch
# named: first_for_all
def first_sentence(padding, causal):
    return (padding[:1] & causal).expand(padding.shape[0], -1, -1, -1)


# wrong: a product of floats instead of a boolean
# named: dtype
def float_product(padding, causal):
    return padding.float() * causal.float()


# wrong: expands the heads to the length
# named: heads_expanded
def heads_expanded(padding, causal):
    length = causal.shape[0]
    return (padding & causal).expand(-1, length, length, length)


# wrong: &= on an expanded clone is fine, but here it writes into the causal mask for a batch of one
# named: changes_input
def in_place(padding, causal):
    if len(padding) == 1:
        causal &= padding[0, 0]
        return causal[None, None]
    return padding & causal


# wrong: a product of integers instead of a boolean
# named: dtype
def int_product(padding, causal):
    return padding.int() * causal


# wrong: the result is True where it is blocked
# named: inverted
def inverted(padding, causal):
    return ~(padding & causal)


# wrong: each token may always see itself, padded or not
# named: diagonal_kept
def keeps_the_diagonal(padding, causal):
    return (padding & causal) | torch.eye(len(causal), dtype=torch.bool)


# wrong: calls the course's own function
# named: forbidden
def library(padding, causal):
    return masks.combine_masks(padding, causal)


# right
def masked_fill(padding, causal):
    batch, length = padding.shape[0], causal.shape[-1]
    mask = causal.repeat(batch, 1, 1, 1)
    return mask.masked_fill(~padding.expand(batch, 1, length, length), False)


# right
def minimum(padding, causal):
    return torch.minimum(padding.int(), causal.int()).bool()


# right
def minimum_2(padding, causal):
    return ~(padding.logical_not() | causal.logical_not()[None, None])


# wrong: uses the padding of the first sentence for all
# named: first_for_all
def minimum_of_first(padding, causal):
    both = padding[0, 0] & causal
    return both.expand(padding.shape[0], 1, *causal.shape)


# wrong: a row without any key is opened wholly, to avoid NaN
# named: empty_rows_opened
def no_empty_rows(padding, causal):
    both = padding & causal
    return both | ~both.any(-1, keepdim=True)


# wrong: drops the axis of the heads
# named: no_heads
def no_head_axis(padding, causal):
    return padding[:, 0] & causal


# wrong: ~padding & ~causal, allowed where both forbid
# named: not_both
def nor(padding, causal):
    return ~padding & ~causal


# wrong: builds its own causal mask instead of using the one that is given
# named: own_causal
def own_causal(padding, causal):
    length = padding.shape[-1]
    return padding & torch.ones(length, length, dtype=torch.bool).tril()


# wrong: the padding hides queries instead of keys
# named: queries_masked
def padding_as_rows(padding, causal):
    return padding.transpose(-2, -1) & causal


# wrong: writes the hidden padding into the caller's causal mask, sentence by sentence
# named: changes_input
def padding_in_place(padding, causal):
    rows = []
    for b in range(len(padding)):
        causal[:, ~padding[b, 0, 0]] = False
        rows.append(causal.clone())
    return torch.stack(rows)[:, None]


# wrong: takes True in the padding mask to mean padding
# named: not_padding
def padding_inverted(padding, causal):
    return ~padding & causal


# wrong: the causal mask is not used
# named: padding_alone
def padding_only(padding, causal):
    return padding.expand(padding.shape[0], 1, causal.shape[0], causal.shape[1])


# wrong: Python's `and` between two tensors
def python_and(padding, causal):
    return padding and causal


# wrong: `and` of whether anything is allowed at all
# named: causal_alone
def python_and_any(padding, causal):
    if padding.any() and causal.any():
        return causal.expand(padding.shape[0], 1, *causal.shape)
    return torch.zeros(padding.shape[0], 1, *causal.shape, dtype=torch.bool)


# wrong: squeezes the axis of the heads away, shape (batch, length, length)
# named: no_heads
def shape(padding, causal):
    return padding[:, 0] & causal[None]


# wrong: squeeze() takes a batch of one away
# named: all_squeezed
def squeezed(padding, causal):
    return (padding & causal).squeeze()


# wrong: adds the masks as numbers, so the result is 0, 1, 2 and not boolean
# named: added
def summed(padding, causal):
    return padding.int() + causal.int()


# wrong: the masks are added up, so the result holds 0, 1 and 2
# named: added
def sum_float(padding, causal):
    return padding.float() + causal.float()


# right
def triple_loop(padding, causal):
    batch, length = padding.shape[0], causal.shape[0]
    mask = torch.zeros(batch, 1, length, length, dtype=torch.bool)
    for b in range(batch):
        for i in range(length):
            for j in range(length):
                mask[b, 0, i, j] = bool(padding[b, 0, 0, j]) and bool(causal[i, j])
    return mask


# right
def where(padding, causal):
    return torch.where(padding, causal, torch.zeros_like(causal))


# wrong: ^ instead of &
# named: exclusive_or
def xor(padding, causal):
    return padding ^ causal
