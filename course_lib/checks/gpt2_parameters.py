"""Lesson 08, exercise 5: GPT-2, counted to the last parameter."""

from torch import randint

from course_lib.checks.exercise import Case, Exercise, Mutant, Property


def gpt2_parameters(vocab_size, max_len, d_model, num_layers):
    attention = 4 * (d_model * d_model + d_model)
    feed_forward = 2 * 4 * d_model * d_model + 4 * d_model + d_model
    norms = 2 * 2 * d_model
    block = attention + feed_forward + norms
    return [vocab_size * d_model, max_len * d_model, num_layers * block, 2 * d_model]


def _version(block=lambda d: 12 * d * d + 13 * d, tokens=1, places=1, layers=None, norm=2):
    """A version with another block, or with other tables or another last norm."""

    def version(vocab_size, max_len, d_model, num_layers):
        return [
            tokens * vocab_size * d_model,
            places * max_len * d_model,
            (num_layers if layers is None else layers) * block(d_model),
            norm * d_model,
        ]

    return version


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
    mutants=(
        Mutant(
            "no_biases",
            "Your maps have no biases. In GPT-2 all six maps of a block have one: 4 of d_model in "
            "attention, one of 4 * d_model and one of d_model in the FFN.",
            _version(lambda d: 12 * d * d + 4 * d),
            _per_block,
        ),
        Mutant(
            "matrices_only",
            "You count the matrices of a block and nothing else: 12 * d_model * d_model. Its six "
            "maps have biases, and its two norms have a weight and a bias each.",
            _version(lambda d: 12 * d * d),
            _per_block,
        ),
        Mutant(
            "narrow_bias",
            "You count d_model for each bias. The first map of the FFN makes 4 * d_model features, "
            "and each has its own.",
            _version(lambda d: 12 * d * d + 10 * d),
            _per_block,
        ),
        Mutant(
            "no_output_projection",
            "You count three maps in attention: query, key and value. The fourth, W_O, mixes the "
            "heads (lesson 03).",
            _version(lambda d: 11 * d * d + 12 * d),
            _per_block,
        ),
        Mutant(
            "narrow_ffn",
            "Your FFN is as wide in the middle as at its ends. In GPT-2 it has 4 * d_model hidden "
            "features.",
            _version(lambda d: 6 * d * d + 10 * d),
            _per_block,
        ),
        Mutant(
            "one_way_ffn",
            "You count one matrix in the FFN. There are two: up to 4 * d_model, and down again.",
            _version(lambda d: 8 * d * d + 12 * d),
            _per_block,
        ),
        Mutant(
            "no_norms",
            "You count no norms in the blocks. Each has two, with a weight and a bias of d_model "
            "each.",
            _version(lambda d: 12 * d * d + 9 * d),
            _per_block,
        ),
        Mutant(
            "one_norm",
            "You count one norm for each block. There are two: one before attention, one before "
            "the FFN.",
            _version(lambda d: 12 * d * d + 11 * d),
            _per_block,
        ),
        Mutant(
            "norms_without_bias",
            "You count d_model for each norm. It has a weight and a bias, d_model each.",
            _version(lambda d: 12 * d * d + 11 * d, norm=1),
            _per_block,
        ),
        Mutant(
            "untied",
            "You count the token table twice. GPT-2 uses the same matrix to read tokens and to "
            "predict them, so it counts once.",
            _version(tokens=2),
        ),
        Mutant(
            "no_positions",
            "You count no table of positions. GPT-2 learned one: a vector of d_model for each of "
            "the max_len places (lesson 07).",
            _version(places=0),
        ),
        Mutant(
            "no_last_norm",
            "You leave the last norm out. A stack that normalises first needs one after its last "
            "block.",
            _version(norm=0),
        ),
        Mutant(
            "one_block",
            "You count one block, whatever num_layers is.",
            _version(layers=1),
        ),
    ),
)
