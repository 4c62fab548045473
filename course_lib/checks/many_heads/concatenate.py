"""Lesson 03, exercise 1: the outputs of all heads side by side."""

import torch
from torch import cat, float64, stack

from course_lib.checks.exercise import Case, Exercise, Mutant, Property, randn
from course_lib.checks.judge.gradient import cut_off, gradient_fault


def concatenate(heads):
    return heads.movedim(0, -2).flatten(-2)  # (..., T, num_heads * head_dim)


def _reshaped(heads):
    return heads.reshape(*heads.shape[1:-1], -1)


def _one_too_many_transposed(heads):
    swapped = heads.transpose(0, 1)  # (T, num_heads, head_dim), but (batch, num_heads, ...)
    return swapped.reshape(*heads.shape[1:-1], -1)


def _interleaved(heads):
    return stack(tuple(heads), dim=-1).flatten(-2)


def _first_sentence(heads):
    while heads.dim() > 3:
        heads = heads[:, 0]
    return concatenate(heads)


def _learns(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    return gradient_fault(EXERCISE, function, _cases((2, 2, 3, 2))(generator))


def _cases(*shapes, dtype=None):
    return lambda generator: [Case((randn(generator, *shape).to(dtype),)) for shape in shapes]


EXERCISE = Exercise(
    lesson="03",
    number=1,
    reference=concatenate,
    returns={"joined": "(..., T, num_heads * head_dim)"},
    properties=(
        Property(
            "each token keeps its row: the features of head 0, then those of head 1, and so on",
            2,
            _cases((2, 4, 3), (3, 4, 2)),
        ),
        Property(
            "the same holds when all sizes are equal, where shapes cannot tell a mistake",
            1,
            _cases((2, 2, 2), (3, 3, 3)),
        ),
        Property(
            "leading dimensions stay in front",
            1,
            _cases((2, 3, 4, 3), (3, 3, 3, 3), (4, 2, 3, 2, 1)),
        ),
        Property(
            "the same holds for one head, one token, one sentence, and in float64",
            1,
            lambda generator: (
                _cases((1, 3, 4), (5, 2, 3), (2, 1, 3), (2, 1, 2, 3))(generator)
                + _cases((2, 3, 2), dtype=float64)(generator)
            ),
        ),
        Property("gradients reach every head", 1, judge=_learns),
    ),
    mutants=(
        Mutant(
            "along_the_tokens",
            "You put the heads one below the other, as if they were more tokens. Every head has "
            "seen the same tokens; what is put side by side are its features, the last dimension.",
            lambda heads: cat(tuple(heads), dim=-2),
        ),
        Mutant(
            "along_the_first",
            "You concatenate along the first dimension of each head's output. That is the batch "
            "or, without one, the tokens; what is put side by side are the features, dim=-1.",
            lambda heads: cat(tuple(heads), dim=0),
        ),
        Mutant(
            "stacked",
            "You stack: that makes a new dimension for the heads. Concatenating makes an existing "
            "one longer: num_heads and head_dim should become one dimension.",
            lambda heads: heads.movedim(0, -2),
        ),
        Mutant(
            "interleaved",
            "Your heads are interleaved: feature 0 of every head, then feature 1 of every head. "
            "Head 0 should come with all its features first: W_O counts on whole blocks.",
            _interleaved,
        ),
        Mutant(
            "reshaped",
            "You reshape without moving the dimension of the heads. The shape is right and the "
            "numbers are mixed: a reshape keeps their order in memory, so a row of yours holds "
            "several tokens of one head. It should hold one token of all heads.",
            _reshaped,
        ),
        Mutant(
            "first_two_exchanged",
            "You exchange the first two dimensions and reshape. Without a batch that is right; "
            "with one it moves the heads behind the batch and not behind the tokens, where they "
            "must stand, next to their features.",
            _one_too_many_transposed,
            also=(lambda heads: heads.transpose(0, 1).flatten(-2),),
        ),
        Mutant(
            "summed",
            "You add the heads up. Then nobody can tell any more which head said what: side by "
            "side, each keeps features of its own.",
            lambda heads: heads.sum(dim=0),
        ),
        Mutant(
            "backwards",
            "Your heads come in reverse order: head 0 should stand first.",
            lambda heads: concatenate(heads.flip(0)),
        ),
        Mutant(
            "two_heads",
            "You join heads 0 and 1 only. There may be any number of them.",
            lambda heads: torch.cat([heads[0], heads[min(1, len(heads) - 1)]], dim=-1),
            also=(lambda heads: torch.cat([heads[0], heads[1]], dim=-1),),
        ),
        Mutant(
            "dimension_one",
            "You concatenate along dimension 1. That is the last one without a batch only: count "
            "from the end, dim=-1.",
            lambda heads: cat(tuple(heads), dim=1),
        ),
        Mutant(
            "first_sentence",
            "You join the heads of the first sentence only. All leading dimensions stay.",
            _first_sentence,
        ),
        Mutant(
            "first_head_repeated",
            "You put head 0 side by side with itself. Each head has its own place.",
            lambda heads: cat([heads[0]] * len(heads), dim=-1),
        ),
        Mutant(
            "last_head_missing",
            "The last head is missing: does a loop end one too early?",
            lambda heads: cat(tuple(heads[: max(1, len(heads) - 1)]), dim=-1),
            also=(lambda heads: cat(tuple(heads[:-1]), dim=-1),),
        ),
        Mutant(
            "mean_repeated",
            "You average the heads, and repeat the mean. Then nobody can tell any more which head "
            "said what.",
            lambda heads: cat([heads.mean(dim=0)] * len(heads), dim=-1),
        ),
        Mutant(
            "squeezed",
            "You squeeze: that takes away every dimension of size 1, such as the tokens when there "
            "is one token. Leave it out.",
            lambda heads: concatenate(heads).squeeze(),
        ),
        Mutant("cut_off", cut_off("heads"), lambda heads: concatenate(heads).detach()),
    ),
)
