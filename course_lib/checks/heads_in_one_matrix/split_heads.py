"""Lesson 04, exercise 1: from one wide projection to heads."""

import torch

from course_lib.attention import MultiHeadAttention
from course_lib.checks.exercise import Case, Exercise, Mutant, Property, randn


def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    heads = x.reshape(batch, seq_len, num_heads, d_model // num_heads)
    return heads.transpose(1, 2)  # (batch, num_heads, seq_len, head_dim)


def _heads_before_time(x, num_heads):
    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)


def _no_transpose(x, num_heads):
    return x.reshape(x.shape[0], x.shape[1], num_heads, -1)


def _interleaved(x, num_heads):
    return x.reshape(*x.shape[:2], -1, num_heads).permute(0, 3, 1, 2)


def _transposed_too_early(x, num_heads):
    return x.transpose(1, 2).reshape(x.shape[0], num_heads, x.shape[1], -1)


def _features_before_tokens(x, num_heads):
    return split_heads(x, num_heads).transpose(2, 3)


def _sizes_exchanged(x, num_heads):
    return split_heads(x, x.shape[2] // num_heads)


def _time_first(x, num_heads):
    batch, seq_len, _ = x.shape
    merged = x.reshape(seq_len, batch * num_heads, -1).transpose(0, 1)
    return merged.reshape(batch, num_heads, seq_len, -1)


def _heads_first(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1))


def _cases(*sizes, dtype=None):
    """(batch, seq_len, num_heads, head_dim) each."""

    def make(generator):
        return [
            Case((randn(generator, batch, seq_len, heads * head_dim).to(dtype), heads))
            for batch, seq_len, heads, head_dim in sizes
        ]

    return make


EXERCISE = Exercise(
    lesson="04",
    number=1,
    reference=split_heads,
    returns={"heads": "(batch, num_heads, seq_len, head_dim)"},
    library=(MultiHeadAttention._split_heads,),
    properties=(
        Property(
            "head i of a token is its numbers from i * head_dim to (i + 1) * head_dim",
            2,
            _cases((1, 3, 2, 2), (2, 5, 3, 4)),
        ),
        Property(
            "the same holds when lengths are equal, where shapes cannot tell a mistake",
            1,
            _cases((1, 2, 2, 2), (3, 3, 3, 3), (2, 4, 4, 1)),
        ),
        Property(
            "the same holds for one head, and for one token",
            1,
            _cases((2, 3, 1, 4), (2, 1, 3, 2)),
        ),
    ),
    mutants=(
        Mutant(
            "heads_before_time",
            "You go straight to (batch, num_heads, seq_len, head_dim). A view only counts on: the "
            "first numbers in memory are token 0 with all its features, and they fill head 0 with "
            "pieces of other heads. Make (batch, seq_len, num_heads, head_dim) first, then "
            "transpose.",
            _heads_before_time,
        ),
        Mutant(
            "no_transpose",
            "Your tokens still stand before your heads: (batch, seq_len, num_heads, head_dim). "
            "Attention works on the last two dimensions, so the heads of one token would look at "
            "each other and no token would see another one. Exchange dimensions 1 and 2.",
            _no_transpose,
        ),
        Mutant(
            "interleaved",
            "Your head i takes every num_heads-th feature, beginning with i. A head owns a block "
            "of neighbours: split the last dimension into (num_heads, head_dim), in this order.",
            _interleaved,
        ),
        Mutant(
            "transposed_too_early",
            "You transpose before you split. Then the features lie apart in memory, and the view "
            "that follows mixes tokens and heads. Split first, then transpose.",
            _transposed_too_early,
        ),
        Mutant(
            "features_before_tokens",
            "Your last two dimensions are (head_dim, seq_len): each head is transposed. Tokens "
            "come first, their numbers last.",
            _features_before_tokens,
        ),
        Mutant(
            "sizes_exchanged",
            "You made head_dim heads of num_heads numbers each. num_heads says how many there are; "
            "head_dim is d_model // num_heads.",
            _sizes_exchanged,
        ),
        Mutant(
            "time_first",
            "You merge batch and heads as if time came first, (seq_len, batch * num_heads, "
            "head_dim). Here the batch comes first, so your heads hold numbers of several "
            "sentences.",
            _time_first,
        ),
        Mutant(
            "heads_first",
            "Your heads stand before the batch: (num_heads, batch, seq_len, head_dim). Each head "
            "is right; the batch should be dimension 0.",
            _heads_first,
        ),
    ),
)
