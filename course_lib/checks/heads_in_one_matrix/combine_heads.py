"""Lesson 04, exercise 2: the heads side by side again."""

import torch
from torch import float64

from course_lib.attention import multi_head
from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.gradient import cut_off, gradient_fault


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


def _tokens_before_sentences(heads):
    return heads.permute(2, 0, 1, 3).reshape(heads.shape[0], heads.shape[2], -1)


def _tokens_with_features(heads):
    return heads.transpose(2, 3).reshape(heads.shape[0], heads.shape[2], -1)


def _first_head_repeated(heads):
    return heads[:, 0].repeat(1, 1, heads.shape[1])


def _first_sentence_only(heads):
    return combine_heads(heads[:1]).expand(len(heads), -1, -1)


def _gradient(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    return gradient_fault(EXERCISE, function, _cases((2, 2, 3, 2))(generator))


def _cases(*sizes, lies_transposed=False, dtype=None):
    """(batch, num_heads, seq_len, head_dim) each; in memory as attention leaves it, or as split."""

    def make(generator):
        cases = []
        for batch, num_heads, seq_len, head_dim in sizes:
            if lies_transposed:
                heads = randn(generator, batch, seq_len, num_heads, head_dim).transpose(1, 2)
            else:
                heads = randn(generator, batch, num_heads, seq_len, head_dim)
            cases.append(Case((heads.to(dtype),)))
        return cases

    return make


EXERCISE = Exercise(
    lesson="04",
    number=2,
    reference=combine_heads,
    returns={"joined": "(batch, seq_len, num_heads * head_dim)"},
    library=(multi_head.join_heads,),
    properties=(
        Property(
            "each token has the numbers of head 0, then those of head 1, and so on",
            2,
            _cases((1, 2, 3, 2), (2, 3, 5, 4)),
        ),
        Property(
            "it works for all lengths, and however the heads lie in memory",
            1,
            lambda generator: (
                _cases((1, 2, 2, 2), (3, 3, 3, 3), (2, 3, 2, 2))(generator)
                + _cases((2, 2, 3, 4), lies_transposed=True)(generator)
                + _cases((2, 2, 3, 4), (2, 1, 3, 4), (2, 3, 1, 2))(generator)
                + _cases((2, 4, 3, 2), dtype=float64)(generator)
            ),
        ),
        Property("gradients pass through", 1, judge=_gradient),
    ),
    mistakes=(
        Mistake(
            "not_transposed_back",
            "You do not transpose back before you reshape. Head 0 of all tokens comes first in "
            "memory, so your first token is made of head 0 of several tokens. Put the heads next "
            "to their numbers first: (batch, seq_len, num_heads, head_dim).",
            _not_transposed_back,
        ),
        Mistake(
            "interleaved",
            "Your numbers come out interleaved: number 0 of each head, then number 1 of each head. "
            "Whole heads should stand side by side, or W_O meets them in another order.",
            _interleaved,
        ),
        Mistake(
            "heads_for_tokens",
            "Your answer has as many rows as there are heads. A row is a token: take the number of "
            "tokens, which is dimension 2 of heads (and dimension 1 once it is transposed).",
            _heads_for_tokens,
        ),
        Mistake(
            "wrong_axes",
            "You exchange the heads with head_dim. It is the heads and the tokens that have to "
            "change places: dimensions 1 and 2.",
            _wrong_axes,
        ),
        Mistake(
            "sentences_mixed",
            "You exchange the sentences with the tokens, so numbers of several sentences meet. "
            "Dimension 0 stays where it is: exchange 1 and 2.",
            _sentences_mixed,
        ),
        Mistake(
            "summed",
            "You add the heads up. They stay side by side here; the sum comes with W_O, which "
            "weights each of them differently.",
            lambda heads: heads.sum(dim=1),
        ),
        Mistake(
            "averaged",
            "You average the heads. They stay side by side: what each one found would be lost.",
            lambda heads: heads.mean(dim=1),
            also=(lambda heads: heads.mean(dim=1).repeat(1, 1, heads.shape[1]),),
        ),
        Mistake(
            "one_below_the_other",
            "Your heads stand one below the other, as if they were more tokens. They belong side "
            "by side: along the last dimension.",
            _one_below_the_other,
        ),
        Mistake(
            "not_merged",
            "You transpose and stop there: the answer still has four dimensions. Merge the last "
            "two, the heads and their numbers.",
            lambda heads: heads.transpose(1, 2),
        ),
        Mistake(
            "tokens_merged",
            "You merge the tokens with the numbers of a head, which are the last two dimensions. "
            "The heads have to stand beside their numbers first: exchange dimensions 1 and 2.",
            lambda heads: heads.flatten(2),
        ),
        Mistake(
            "tokens_before_sentences",
            "You put the tokens before the sentences and reshape as if the sentences still came "
            "first, so numbers of several sentences meet. Dimension 0 stays where it is: exchange "
            "1 and 2.",
            _tokens_before_sentences,
        ),
        Mistake(
            "tokens_with_features",
            "You exchange the tokens with the numbers of a head. It is the heads and the tokens "
            "that have to change places: dimensions 1 and 2.",
            _tokens_with_features,
        ),
        Mistake(
            "order_reversed",
            "Your heads come in reversed order: each token begins with the numbers of head 0.",
            lambda heads: combine_heads(heads.flip(1)),
        ),
        Mistake(
            "tokens_reversed",
            "Your tokens come in reversed order. The split left them in their order, and so should "
            "the way back.",
            lambda heads: combine_heads(heads.flip(2)),
        ),
        Mistake(
            "first_head_repeated",
            "You repeat head 0 in place of the others. Each head has numbers of its own.",
            _first_head_repeated,
        ),
        Mistake(
            "first_two_heads",
            "You join the first two heads only. There are heads.shape[1] of them.",
            lambda heads: combine_heads(heads[:, :2]),
            also=(lambda heads: torch.cat((heads[:, 0], heads[:, 1]), dim=-1),),
        ),
        Mistake(
            "first_sentence_only",
            "Every sentence gets the numbers of the first one: heads[0] is one sentence alone.",
            _first_sentence_only,
        ),
        Mistake(
            "batch_lost",
            "Your answer has two dimensions: the tokens of all sentences stand in one long list. "
            "Keep the batch as dimension 0.",
            lambda heads: combine_heads(heads).flatten(0, 1),
        ),
        Mistake(
            "squeezed",
            "You squeeze, which drops every dimension of length 1: a single sentence or token "
            "loses its dimension.",
            lambda heads: combine_heads(heads).squeeze(),
        ),
        Mistake("detached", cut_off("heads"), lambda heads: combine_heads(heads.detach())),
    ),
)
