"""Answers to gpt2_parameters (lesson 08, exercise 5), right and wrong, as students write them."""

import torch
from torch import nn


# right
def closed_form(vocab_size, max_len, d_model, num_layers):
    d = d_model
    return [vocab_size * d, max_len * d, num_layers * (12 * d**2 + 13 * d), 2 * d]


# right
def counted_modules(vocab_size, max_len, d_model, num_layers):
    count = lambda *parts: sum(p.numel() for part in parts for p in part.parameters())
    with torch.device("meta"):
        norm = nn.LayerNorm(d_model)
        square, up, down = (
            nn.Linear(d_model, d_model),
            nn.Linear(d_model, 4 * d_model),
            nn.Linear(4 * d_model, d_model),
        )
    block = 4 * count(square) + count(up, down) + 2 * count(norm)
    return [d_model * vocab_size, d_model * max_len, num_layers * block, count(norm)]


# right
def counted_on_modules(vocab_size, max_len, d_model, num_layers):
    with __import__("torch").device("meta"):
        layer = nn.TransformerEncoderLayer(d_model, 1, 4 * d_model)
    block = sum(p.numel() for p in layer.parameters())
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]


# wrong: an FFN without the factor 4
# named: narrow_ffn
def ffn_as_wide_as_the_stream(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 2 * (d_model**2 + d_model)
    norms = 4 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]


# wrong: an FFN with its first map only, and its bias
# named: one_way_ffn
def ffn_one_map(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 4 * d_model**2 + 4 * d_model
    norms = 4 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]


# wrong: the FFN is 3072 wide whatever d_model is
def gpt2_small_width(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 2 * 3072 * d_model + 3072 + d_model
    norms = 4 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]


# wrong: a bias for the map to the vocabulary
# named: output_bias
def head_bias(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 8 * d_model * d_model + 5 * d_model
    norms = 4 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model + vocab_size, max_len * d_model, num_layers * block, 2 * d_model]


# wrong: the last norm counted with the blocks and again
# named: last_norm_in_the_blocks
def last_norm_in_blocks(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 8 * d_model * d_model + 5 * d_model
    norms = 4 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block + 2 * d_model, 2 * d_model]


# right
def meta(vocab_size, max_len, d_model, num_layers):
    def map_(a, b):
        return b * (a + 1)

    norm = d_model + d_model
    block = (
        sum(map_(d_model, d_model) for _ in "qkvo")
        + map_(d_model, 4 * d_model)
        + map_(4 * d_model, d_model)
    )
    return [d_model * n for n in (vocab_size, max_len)] + [(block + norm + norm) * num_layers, norm]


# wrong: the bias of the first map of the FFN is d_model long
# named: three_too_few
def narrow_ffn_bias(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 8 * d_model**2 + 2 * d_model
    norms = 4 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]


# wrong: the four attention maps are counted without biases
# named: four_too_few
def no_attention_bias(vocab_size, max_len, d_model, num_layers):
    d = d_model
    block = 4 * d * d + 8 * d * d + 5 * d + 4 * d
    return [vocab_size * d, max_len * d, num_layers * block, 2 * d]


# wrong: no biases at all
# named: no_biases
def no_biases(vocab_size, max_len, d_model, num_layers):
    attention = 4 * d_model**2
    ffn = 8 * d_model**2
    norms = 4 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]


# wrong: forgets the biases of all maps
# named: no_biases
def no_biases_2(vocab_size, max_len, d_model, num_layers):
    d = d_model
    return [vocab_size * d, max_len * d, num_layers * (12 * d * d + 4 * d), 2 * d]


# wrong: the norms of a block left out
# named: four_too_few
def no_norms(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 8 * d_model * d_model + 5 * d_model
    norms = 0
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]


# wrong: three maps in attention
# named: no_output_projection
def no_output_map(vocab_size, max_len, d_model, num_layers):
    attention = 3 * (d_model**2 + d_model)
    ffn = 8 * d_model * d_model + 5 * d_model
    norms = 4 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]


# wrong: LayerNorms have a weight but no bias, in the blocks and at the end
# named: norms_without_bias
def norm_weight_only(vocab_size, max_len, d_model, num_layers):
    d = d_model
    block = 12 * d * d + 9 * d + 2 * d
    return [vocab_size * d, max_len * d, num_layers * block, d]


# wrong: norms with a weight only
# named: norms_without_bias
def norms_without_bias(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 8 * d_model * d_model + 5 * d_model
    norms = 2 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, d_model]


# wrong: num_layers forgotten
# named: one_block
def one_block(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 8 * d_model * d_model + 5 * d_model
    norms = 4 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, block, 2 * d_model]


# wrong: counts one block only
# named: one_block
def one_block_2(vocab_size, max_len, d_model, num_layers):
    d = d_model
    block = 4 * (d * d + d) + (4 * d * d + 4 * d) + (4 * d * d + d) + 4 * d
    return [vocab_size * d, max_len * d, block, 2 * d]


# wrong: one norm in a block
# named: two_too_few
def one_norm(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 8 * d_model * d_model + 5 * d_model
    norms = 2 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]


# wrong: one LayerNorm for each block instead of two
# named: two_too_few
def one_norm_2(vocab_size, max_len, d_model, num_layers):
    d, ff = d_model, 4 * d_model
    block = 4 * (d * d + d) + d * ff + ff + ff * d + d + 2 * d
    return [vocab_size * d, max_len * d, num_layers * block, 2 * d]


# wrong: one number for each position
# named: one_number_per_place
def position_scalars(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 8 * d_model * d_model + 5 * d_model
    norms = 4 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len, num_layers * block, 2 * d_model]


# wrong: squares num_layers along with d_model
def power_precedence(vocab_size, max_len, d_model, num_layers):
    d = d_model
    blocks = 12 * (num_layers * d) ** 2 + 13 * num_layers * d
    return [vocab_size * d, max_len * d, blocks, 2 * d]


# wrong: query, key and value without biases
# named: three_too_few
def qkv_without_bias(vocab_size, max_len, d_model, num_layers):
    attention = 4 * d_model * d_model + d_model
    ffn = 8 * d_model * d_model + 5 * d_model
    norms = 4 * d_model
    block = attention + ffn + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]


# right
def sum_over_maps(vocab_size, max_len, d_model, num_layers):
    def linear(a, b):
        return a * b + b

    block = 4 * linear(d_model, d_model) + linear(d_model, 4 * d_model)
    block += linear(4 * d_model, d_model) + 2 * (d_model + d_model)
    return [vocab_size * d_model, max_len * d_model, block * num_layers, d_model + d_model]


# wrong: returns the total
# named: total
def sum_returned(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 8 * d_model * d_model + 5 * d_model
    norms = 4 * d_model
    block = attention + ffn + norms
    return vocab_size * d_model + max_len * d_model + num_layers * block + 2 * d_model


# wrong: puts the position table before the token table
# named: tables_exchanged
def tables_swapped(vocab_size, max_len, d_model, num_layers):
    d = d_model
    return [max_len * d, vocab_size * d, num_layers * (12 * d * d + 13 * d), 2 * d]


# wrong: returns the sum instead of four counts
# named: total
def total(vocab_size, max_len, d_model, num_layers):
    d = d_model
    return vocab_size * d + max_len * d + num_layers * (12 * d * d + 13 * d) + 2 * d


# right
def tuple_of_fused_maps(vocab_size, max_len, d_model, num_layers):
    d = d_model
    c_attn, c_proj = d * 3 * d + 3 * d, d * d + d
    mlp = d * 4 * d + 4 * d + 4 * d * d + d
    return (vocab_size * d, max_len * d, num_layers * (c_attn + c_proj + mlp + 4 * d), 2 * d)


# wrong: 12 d squared for a block
# named: matrices_only
def twelve_d_squared(vocab_size, max_len, d_model, num_layers):
    return [vocab_size * d_model, max_len * d_model, 12 * num_layers * d_model**2, 2 * d_model]


# wrong: the token table twice
# named: untied
def untied(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    ffn = 8 * d_model * d_model + 5 * d_model
    norms = 4 * d_model
    block = attention + ffn + norms
    return [2 * vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]


# wrong: counts the map to the vocabulary a second time in the last entry
# named: head_counted_again
def untied_2(vocab_size, max_len, d_model, num_layers):
    d = d_model
    block = 12 * d * d + 13 * d
    return [vocab_size * d, max_len * d, block * num_layers, 2 * d + vocab_size * d]


# wrong: counts the token table twice
# named: untied
def untied_3(vocab_size, max_len, d_model, num_layers):
    d = d_model
    block = 12 * d * d + 13 * d
    return [2 * vocab_size * d, max_len * d, num_layers * block, 2 * d]


# wrong: the bias of "up" is taken as d_model long instead of 4 d_model
# named: three_too_few
def up_bias_d(vocab_size, max_len, d_model, num_layers):
    d = d_model
    block = 4 * (d * d + d) + 2 * (4 * d * d + d) + 2 * 2 * d
    return [vocab_size * d, max_len * d, num_layers * block, 2 * d]


# wrong: gives the bias of the map up d_model numbers instead of 4 d_model
# named: three_too_few
def up_bias_short(vocab_size, max_len, d_model, num_layers):
    d = d_model
    block = 4 * (d * d + d) + (4 * d * d + d) + (4 * d * d + d) + 4 * d
    return [vocab_size * d, max_len * d, num_layers * block, 2 * d]
