"""Answers to gpt2_parameters (lesson 08, exercise 5), right and wrong, as students write them."""

import math

import torch

import course_checks as checks


# right
def by_shapes(vocab_size, max_len, d_model, num_layers):
    """The shape of everything that is learned."""
    wide = 4 * d_model
    block = 4 * [(d_model, d_model), (d_model,)]
    block += [(wide, d_model), (wide,), (d_model, wide), (d_model,), (4, d_model)]
    shapes = [(vocab_size, d_model)], [(max_len, d_model)], num_layers * block, [(2, d_model)]
    return tuple(float(sum(map(math.prod, part))) for part in shapes)


# right
def formula(vocab_size, max_len, d_model, num_layers):
    block = 12 * d_model**2 + 13 * d_model
    return torch.tensor([vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model])


# wrong: the last norm counted with the blocks and again
# named: last_norm_in_the_blocks
# points: 2
def last_norm_in_blocks(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 8 * d_model * d_model + 5 * d_model
    norms = 4 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block + 2 * d_model, 2 * d_model]


# wrong: squares num_layers along with d_model
# points: 3
def power_precedence(vocab_size, max_len, d_model, num_layers):
    d = d_model
    blocks = 12 * (num_layers * d) ** 2 + 13 * num_layers * d
    return [vocab_size * d, max_len * d, blocks, 2 * d]


# wrong: returns the sum instead of four counts
# named: total
def total(vocab_size, max_len, d_model, num_layers):
    d = d_model
    return vocab_size * d + max_len * d + num_layers * (12 * d * d + 13 * d) + 2 * d


# wrong: forgets the bias of the second map
# named: one_too_few
def second_bias_forgotten(vocab_size, max_len, d_model, num_layers):
    block = 12 * d_model**2 + 12 * d_model
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]


# wrong: the last norm has a weight and no bias
# named: half_a_last_norm
def last_bias_forgotten(vocab_size, max_len, d_model, num_layers):
    block = 12 * d_model**2 + 13 * d_model
    return [vocab_size * d_model, max_len * d_model, num_layers * block, d_model]


# wrong: counts with a width of 768
# says: never uses what it gets as d_model
def of_one_size(vocab_size, max_len, d_model, num_layers):
    return checks.gpt2_parameters.exercise.reference(vocab_size, max_len, 768, num_layers)


# other inputs
def other_inputs(generator):
    yield from ((9, 4, 3, 2), (17, 6, 5, 3), (100, 10, 4, 1))
