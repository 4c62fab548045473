"""Lesson 08, exercise 5: GPT-2, counted to the last parameter."""

from torch import randint

from course_lib.checks.exercise import Case, Exercise, Mistake, Property


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    feed_forward = 2 * 4 * d_model * d_model + 4 * d_model + d_model
    norms = 2 * 2 * d_model
    block = attention + feed_forward + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]


def _gpt2_parameters_with(
    block=lambda d: 12 * d * d + 13 * d, tokens=1, places=1, layers=None, norm=2, bias=0, more=0
):
    """A version with another block, or with other tables or another last norm."""

    def version(vocab_size, max_len, d_model, num_layers):
        return [
            tokens * vocab_size * d_model + bias * vocab_size,
            places * max_len * d_model,
            (num_layers if layers is None else layers) * block(d_model) + more * d_model,
            norm * d_model,
        ]

    return version


def _one_number_per_place(vocab_size, max_len, d_model, num_layers):
    tokens, _, blocks, norm = gpt2_parameters(vocab_size, max_len, d_model, num_layers)
    return [tokens, max_len, blocks, norm]


def _tables_exchanged(*sizes):
    tokens, places, *rest = gpt2_parameters(*sizes)
    return [places, tokens, *rest]


def _per_block(args, expected, got):
    _, _, d_model, num_layers = args
    mine, right = (float(answer["counts"][2]) / num_layers for answer in (got, expected))
    return f"Here, at d_model = {d_model}, you count {mine:,g} in a block instead of {right:,g}."


def _sizes(*sizes):
    return lambda generator: [Case(size) for size in sizes]


def _drawn(generator):
    """Sizes that nobody can know beforehand."""

    def draw(least, most):
        return int(randint(least, most, (), generator=generator))

    return [Case((draw(20, 90), draw(5, 20), draw(2, 9), draw(2, 7))) for _ in range(3)]


EXERCISE = Exercise(
    lesson="08",
    number=5,
    reference=gpt2_parameters,
    returns={"counts": "[token table, position table, all blocks, last norm]"},
    kind="numbers",
    properties=(
        Property("a very small model with one block", 2, _sizes((11, 7, 2, 1), (30, 5, 6, 1))),
        Property("several blocks, whatever the sizes", 2, _drawn),
        Property(
            "GPT-2 small and GPT-2 XL",
            1,
            _sizes((50257, 1024, 768, 12), (50257, 1024, 1600, 48)),
        ),
    ),
    mistakes=(
        Mistake(
            "tables_exchanged",
            "The first two counts have changed places: the table of tokens comes first, then that "
            "of the positions.",
            _tables_exchanged,
        ),
        Mistake(
            "head_counted_again",
            "You count the map to the vocabulary in the last entry. In GPT-2 it is the table of "
            "tokens itself, which you have counted already: the last norm alone is left.",
            lambda vocab_size, max_len, d_model, num_layers: [
                *gpt2_parameters(vocab_size, max_len, d_model, num_layers)[:3],
                2 * d_model + vocab_size * d_model,
            ],
        ),
        Mistake(
            "total",
            "You return one number, the sum. Four counts are asked for, so that one can see where "
            "they are.",
            lambda *sizes: sum(gpt2_parameters(*sizes)),
        ),
        Mistake(
            "no_biases",
            "Your maps have no biases. In GPT-2 all six maps of a block have one: 4 of d_model in "
            "attention, one of 4 * d_model and one of d_model in the FFN.",
            _gpt2_parameters_with(lambda d: 12 * d * d + 4 * d),
            _per_block,
        ),
        Mistake(
            "matrices_only",
            "You count the matrices of a block and nothing else: 12 * d_model * d_model. Its six "
            "maps have biases, and its two norms have a weight and a bias each.",
            _gpt2_parameters_with(lambda d: 12 * d * d),
            _per_block,
        ),
        Mistake(
            "three_too_few",
            "You count 3 * d_model too few in each block. As many have the biases of query, key "
            "and value together. And the bias of the FFN's first map is 4 * d_model long: whoever "
            "counts d_model for it has 3 * d_model too few as well. Which of these is it?",
            _gpt2_parameters_with(lambda d: 12 * d * d + 10 * d),
            _per_block,
        ),
        Mistake(
            "no_output_projection",
            "You count three maps in attention: query, key and value. The fourth, W_O, mixes the "
            "heads (lesson 03).",
            _gpt2_parameters_with(lambda d: 11 * d * d + 12 * d),
            _per_block,
        ),
        Mistake(
            "narrow_ffn",
            "Your FFN is as wide in the middle as at its ends. In GPT-2 it has 4 * d_model hidden "
            "features.",
            _gpt2_parameters_with(lambda d: 6 * d * d + 10 * d),
            _per_block,
        ),
        Mistake(
            "one_way_ffn",
            "You count one matrix in the FFN. There are two: up to 4 * d_model, and down again.",
            _gpt2_parameters_with(lambda d: 8 * d * d + 12 * d),
            _per_block,
        ),
        Mistake(
            "four_too_few",
            "You count 4 * d_model too few in each block. As many have: its two norms together, "
            "the four biases of attention, and the bias of the FFN's first map. Which of these is "
            "missing?",
            _gpt2_parameters_with(lambda d: 12 * d * d + 9 * d),
            _per_block,
        ),
        Mistake(
            "two_too_few",
            "You count 2 * d_model too few in each block. That is one of its two norms, or one "
            "half of both: a norm has a weight and a bias, d_model each.",
            _gpt2_parameters_with(lambda d: 12 * d * d + 11 * d),
            _per_block,
        ),
        Mistake(
            "norms_without_bias",
            "You count d_model for each norm. It has a weight and a bias, d_model each.",
            _gpt2_parameters_with(lambda d: 12 * d * d + 11 * d, norm=1),
            _per_block,
        ),
        Mistake(
            "one_too_few",
            "You count d_model too few in each block. As many has one bias: that of the FFN's "
            "second map, or of one map in attention.",
            _gpt2_parameters_with(lambda d: 12 * d * d + 12 * d),
            _per_block,
        ),
        Mistake(
            "no_ffn_biases",
            "You count 5 * d_model too few in each block: the two biases of the FFN, 4 * d_model "
            "and d_model.",
            _gpt2_parameters_with(lambda d: 12 * d * d + 8 * d),
            _per_block,
        ),
        Mistake(
            "half_as_wide",
            "The middle of your FFN is 2 * d_model wide. In GPT-2 it is 4 * d_model.",
            _gpt2_parameters_with(lambda d: 8 * d * d + 11 * d),
            _per_block,
        ),
        Mistake(
            "last_norm_in_the_blocks",
            "Your count of the blocks is 2 * d_model too large, whatever their number: the norm "
            "after the last block is the fourth entry, not part of the third.",
            _gpt2_parameters_with(more=2),
        ),
        Mistake(
            "half_a_last_norm",
            "Your last norm has d_model parameters. It has a weight and a bias, d_model each.",
            _gpt2_parameters_with(norm=1),
        ),
        Mistake(
            "output_bias",
            "Your token table is vocab_size too large: the map to the vocabulary has no bias.",
            _gpt2_parameters_with(bias=1),
        ),
        Mistake(
            "untied",
            "You count the token table twice. GPT-2 uses the same matrix to read tokens and to "
            "predict them, so it counts once.",
            _gpt2_parameters_with(tokens=2),
        ),
        Mistake(
            "no_positions",
            "You count no table of positions. GPT-2 learned one: a vector of d_model for each of "
            "the max_len places (lesson 07).",
            _gpt2_parameters_with(places=0),
        ),
        Mistake(
            "one_number_per_place",
            "Your table of positions has one number for each place. It has a vector of d_model.",
            _one_number_per_place,
        ),
        Mistake(
            "no_last_norm",
            "You leave the last norm out. A stack that normalises first needs one after its last "
            "block.",
            _gpt2_parameters_with(norm=0),
        ),
        Mistake(
            "one_block",
            "You count one block, whatever num_layers is.",
            _gpt2_parameters_with(layers=1),
        ),
    ),
)
