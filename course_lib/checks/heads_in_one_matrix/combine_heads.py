"""Lesson 04, exercise 2: the heads side by side again."""

from course_lib.checks.exercise import Case, Exercise, Mutant, Property, randn


def combine_heads(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.transpose(1, 2).reshape(batch, seq_len, num_heads * head_dim)


def _not_transposed_back(heads):
    return heads.reshape(heads.shape[0], heads.shape[2], -1)


def _interleaved(heads):
    return heads.permute(0, 2, 3, 1).reshape(heads.shape[0], heads.shape[2], -1)


def _heads_for_tokens(heads):
    return heads.transpose(1, 2).reshape(heads.shape[0], heads.shape[1], -1)


def _wrong_axes(heads):
    return heads.transpose(1, 3).reshape(heads.shape[0], heads.shape[2], -1)


def _sentences_mixed(heads):
    return heads.transpose(0, 2).reshape(heads.shape[0], heads.shape[2], -1)


def _one_below_the_other(heads):
    return heads.flatten(1, 2)


def _cases(*sizes, lies_transposed=False):
    """(batch, num_heads, seq_len, head_dim) each; in memory as attention leaves it, or as split."""

    def make(generator):
        cases = []
        for batch, num_heads, seq_len, head_dim in sizes:
            if lies_transposed:
                heads = randn(generator, batch, seq_len, num_heads, head_dim).transpose(1, 2)
            else:
                heads = randn(generator, batch, num_heads, seq_len, head_dim)
            cases.append(Case((heads,)))
        return cases

    return make


EXERCISE = Exercise(
    lesson="04",
    number=2,
    reference=combine_heads,
    returns={"joined": "(batch, seq_len, num_heads * head_dim)"},
    properties=(
        Property(
            "each token has the numbers of head 0, then those of head 1, and so on",
            2,
            _cases((1, 2, 3, 2), (2, 3, 5, 4)),
        ),
        Property(
            "the same holds when lengths are equal, where shapes cannot tell a mistake",
            1,
            _cases((1, 2, 2, 2), (3, 3, 3, 3), (2, 3, 2, 2)),
        ),
        Property(
            "it works whether the heads lie in memory as attention or as the split leaves them",
            1,
            lambda generator: (
                _cases((2, 2, 3, 4), lies_transposed=True)(generator)
                + _cases((2, 2, 3, 4), (2, 1, 3, 4), (2, 3, 1, 2))(generator)
            ),
        ),
    ),
    mutants=(
        Mutant(
            "not_transposed_back",
            "You do not transpose back before you reshape. Head 0 of all tokens comes first in "
            "memory, so your first token is made of head 0 of several tokens. Put the heads next "
            "to their numbers first: (batch, seq_len, num_heads, head_dim).",
            _not_transposed_back,
        ),
        Mutant(
            "interleaved",
            "Your numbers come out interleaved: number 0 of each head, then number 1 of each head. "
            "Whole heads should stand side by side, or W_O meets them in another order.",
            _interleaved,
        ),
        Mutant(
            "heads_for_tokens",
            "Your answer has as many rows as there are heads. A row is a token: take the number of "
            "tokens, which is dimension 2 of heads (and dimension 1 once it is transposed).",
            _heads_for_tokens,
        ),
        Mutant(
            "wrong_axes",
            "You exchange the heads with head_dim. It is the heads and the tokens that have to "
            "change places: dimensions 1 and 2.",
            _wrong_axes,
        ),
        Mutant(
            "sentences_mixed",
            "You exchange the sentences with the tokens, so numbers of several sentences meet. "
            "Dimension 0 stays where it is: exchange 1 and 2.",
            _sentences_mixed,
        ),
        Mutant(
            "summed",
            "You add the heads up. They stay side by side here; the sum comes with W_O, which "
            "weights each of them differently.",
            lambda heads: heads.sum(dim=1),
        ),
        Mutant(
            "averaged",
            "You average the heads. They stay side by side: what each one found would be lost.",
            lambda heads: heads.mean(dim=1),
        ),
        Mutant(
            "one_below_the_other",
            "Your heads stand one below the other, as if they were more tokens. They belong side "
            "by side: along the last dimension.",
            _one_below_the_other,
        ),
    ),
)
