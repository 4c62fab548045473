"""Answers to masked_call (lesson 05, exercise 4), right and wrong, as students write them."""

import functools

import torch

from course_checks.exercises.causal_masking.shared_answers import random_masks


# right
def by_float(layer, x, mask):
    blocked = torch.zeros(mask.shape, dtype=x.dtype).masked_fill(~mask, -torch.inf)
    return layer(query=x, key=x, value=x, attn_mask=blocked)


# right
def heads(layer, x, mask):
    blocked = mask.logical_not().repeat(len(x) * layer.num_heads, 1, 1)
    output, weights = layer(x, x, x, attn_mask=blocked, average_attn_weights=False)
    return [output, weights.mean(dim=1)]


# wrong: a causal mask, whatever the mask says
# named: always_causal
def causal_always(layer, x, mask):
    ahead = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
    return layer(x, x, x, attn_mask=ahead)


# wrong: hands the mask over without inverting it
# named: same_polarity
def forget_not(layer, x, mask):
    return layer(x, x, x, attn_mask=mask)


# wrong: turns the caller's mask round in place
# named: changes_input
# points: 4
def in_place_not(layer, x, mask):
    return layer(x, x, x, attn_mask=mask.logical_not_())


# wrong: the mask turned round
# named: transposed
def mask_transposed(layer, x, mask):
    return layer(x, x, x, attn_mask=~mask.T)


# wrong: adds -10 to blocked scores
# named: number_added
def minus_ten(layer, x, mask):
    return layer(x, x, x, attn_mask=(~mask).to(x.dtype) * -10.0)


# wrong: returns the output alone
# named: output_alone
def output_alone(layer, x, mask):
    return layer(x, x, x, attn_mask=~mask)[0]


# wrong: turns the mask round (transposes) instead of inverting True and False, right only where both agree
# points: 4
def transposed(layer, x, mask):
    return layer(x, x, x, attn_mask=mask.T & ~torch.eye(len(mask), dtype=torch.bool))


# wrong: its own weights times x, without the value's and the last matrix
# named: weights_times_x
def value_before_projection(layer, x, mask):
    _, weights = layer(x, x, x, attn_mask=~mask)
    return weights @ x, weights


# wrong: returns the weights before the output
# named: swapped
def weights_first(layer, x, mask):
    output, weights = layer(x, x, x, attn_mask=~mask)
    return weights, output


# wrong: passes the mask as the fourth argument
# named: key_padding
def fourth_argument(layer, x, mask):
    return layer(x, x, x, ~mask)


# wrong: turns the mask round
# named: turned
def turned_mask(f, x, m):
    return f(x, x, x, attn_mask=m.T)


# wrong: a float32 mask, whatever dtype x has
# points: 4
# says: dtype=x.dtype
def float_of_another_dtype(layer, x, mask):
    return layer(x, x, x, attn_mask=torch.zeros(mask.shape).masked_fill(~mask, -torch.inf))


# wrong: minus infinity where it is allowed
# named: same_polarity
def infinity_where_allowed(layer, x, mask):
    added = torch.where(mask, float("-inf"), 0.0).to(x.dtype)
    return layer(x, x, x, attn_mask=added)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for heads, batch, length in ((1, 1, 2), (3, 2, 5)):
        layer = torch.nn.MultiheadAttention(6, heads, batch_first=True)
        yield layer, randn(batch, length, 6), random_masks(generator, length, length)
