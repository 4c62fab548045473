"""Lesson 08, exercise 5: GPT-2, counted to the last parameter."""

from functools import partial

from course_checks.exercise import Case, Exercise, Property, randint, random_cases


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    feed_forward = 2 * 4 * d_model * d_model + 4 * d_model + d_model
    norms = 2 * 2 * d_model
    block = attention + feed_forward + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]


MISTAKES = """
tables_exchanged: vocab_size * d_model, max_len * d_model -> max_len * d_model, vocab_size * d_model
    The first two counts have changed places: tokens first, then positions.
head_counted_again: , 2 * d_model] -> , 2 * d_model + vocab_size * d_model]
    You count the map to the vocabulary in the last entry. In GPT-2 it is the table of tokens
    itself.
total: return -> return sum( && 2 * d_model] -> 2 * d_model])
    You return one number, the sum. Four counts are asked for.
no_biases: (d_model * d_model + d_model) -> (d_model * d_model) && + 4 * d_model + d_model ->
or: + 4 * d_model + d_model ->
evidence: _per_block
    Your maps lack biases. All six of a block have one: 4 of d_model in attention, one of 4 *
    d_model and one of d_model in the FFN.
matrices_only: return -> block = 12 * d_model * d_model; return
evidence: _per_block
    You count the matrices of a block and nothing else. Its six maps have biases, and its two norms
    a weight and a bias each.
three_too_few: 4 * (d_model * d_model + d_model) -> 4 * d_model * d_model + d_model
evidence: _per_block
    You count 3 * d_model too few in each block. As many have the biases of query, key and value; or
    the bias of the FFN's first map, 4 * d_model, counted as d_model. Which is it?
no_output_projection: attention = 4 -> attention = 3
evidence: _per_block
    You count three maps in attention: query, key and value. The fourth is W_O (lesson 03).
narrow_ffn: 2 * 4 * d_model * d_model + 4 * d_model -> 2 * d_model * d_model + d_model
or: 2 * 4 * d_model * d_model + 4 * d_model -> 2 * 2 * d_model * d_model + 2 * d_model
evidence: _per_block
    Your FFN is too narrow in the middle. In GPT-2 it has 4 * d_model hidden features.
one_way_ffn: 2 * 4 * d_model * d_model -> 4 * d_model * d_model && + 4 * d_model + d_model -> \
        + 4 * d_model
evidence: _per_block
    You count one matrix in the FFN. There are two: up to 4 * d_model, and down again.
four_too_few: 4 * (d_model * d_model + d_model) -> 4 * d_model * d_model
evidence: _per_block
    You count 4 * d_model too few in each block. As many have its two norms, the four biases of
    attention, or the bias of the FFN's first map. Which of these is missing?
two_too_few: 2 * 2 * d_model -> 2 * d_model
evidence: _per_block
    You count 2 * d_model too few in each block: one of its two norms, or one half of both.
norms_without_bias: 2 * 2 * d_model -> 2 * d_model && , 2 * d_model] -> , d_model]
evidence: _per_block
    You count d_model for each norm. It has a weight and a bias, d_model each.
wide_last_bias: + 4 * d_model + d_model -> + 4 * d_model + 4 * d_model
evidence: _per_block
    You count 4 * d_model for the bias of the FFN's second map. It leads back to d_model features.
one_too_few: + 4 * d_model + d_model -> + 4 * d_model
evidence: _per_block
    You count d_model too few in each block, as many as one bias: of the FFN's second map, or of one
    in attention.
last_norm_in_the_blocks: num_layers * block -> num_layers * block + 2 * d_model
    You count the norm after the last block in the third entry. It is the fourth.
half_a_last_norm: , 2 * d_model] -> , d_model]
    Your last norm has d_model parameters. It has a weight and a bias, d_model each.
output_bias: [vocab_size * d_model -> [vocab_size * d_model + vocab_size
    Your token table is vocab_size too large: the map to the vocabulary has no bias.
untied: [vocab_size * d_model -> [2 * vocab_size * d_model
    You count the token table twice. GPT-2 uses the same matrix to read tokens and to predict them.
no_positions: max_len * d_model -> 0
    You count no table of positions. GPT-2 learned one: d_model for each of the max_len places.
one_number_per_place: max_len * d_model -> max_len
    Your table of positions has one number for each place. It has a vector of d_model.
no_last_norm: , 2 * d_model] -> , 0]
    You leave the last norm out. A stack that normalises first needs one after its last block.
one_block: num_layers * block -> block
    You count one block, whatever num_layers is.
"""


def _per_block(args, expected, got):
    _, _, d_model, num_layers = args
    mine, right = (float(answer["counts"][2]) / num_layers for answer in (got, expected))
    return f"Here, at d_model = {d_model}, you count {mine:,g} in a block instead of {right:,g}."


def _drawn(generator):
    """Sizes that nobody can know beforehand."""
    draw = partial(randint, generator)
    return [Case((draw(20, 90), draw(5, 20), draw(2, 9), draw(2, 7))) for _ in range(3)]


EXERCISE = Exercise(
    reference=gpt2_parameters,
    returns={"counts": "[token table, position table, all blocks, last norm]"},
    kind="numbers",
    properties=(
        Property(
            "a very small model with one block", 2, random_cases((11, 7, 2, 1), (30, 5, 6, 1))
        ),
        Property("several blocks, whatever the sizes", 2, _drawn),
        Property(
            "GPT-2 small and GPT-2 XL",
            1,
            random_cases((50257, 1024, 768, 12), (50257, 1024, 1600, 48)),
        ),
    ),
    mistakes=MISTAKES,
)
