"""Lesson 04, exercise 2: the heads side by side again."""

from torch import float64

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.judge.gradient import detached
from course_lib.attention import multi_head


def combine_heads(heads):
    batch, num_heads, seq_len, head_dim = heads.shape
    return heads.transpose(1, 2).reshape(batch, seq_len, num_heads * head_dim)


MISTAKES = """
not_transposed_back: .transpose(1, 2) ->
    You do not transpose back before you reshape. Head 0 of all tokens comes first in memory, so
    your first token is made of head 0 of several tokens. Put the heads next to their numbers first:
    (batch, seq_len, num_heads, head_dim).
heads_before_batch: heads.transpose(1, 2) -> heads.transpose(0, 1)
    You put the heads before the sentences and reshape, so numbers of several sentences meet.
    Dimension 0 stays where it is: exchange 1 and 2.
interleaved: heads.transpose(1, 2) -> heads.permute(0, 2, 3, 1)
    Your numbers come out interleaved: number 0 of each head, then number 1 of each head. Whole
    heads should stand side by side, or W_O meets them in another order.
heads_for_tokens: reshape(batch, seq_len, num_heads * head_dim) -> reshape(batch, num_heads, -1)
    Your answer has as many rows as there are heads. A row is a token: take the number of tokens,
    which is dimension 2 of heads (and dimension 1 once it is transposed).
wrong_axes: transpose(1, 2) -> transpose(1, 3)
    You exchange the heads with head_dim. It is the heads and the tokens that have to change places:
    dimensions 1 and 2.
summed: lambda heads: heads.sum(dim=1)
    You add the heads up. They stay side by side here; the sum comes with W_O, which weights each of
    them differently.
averaged: lambda heads: heads.mean(dim=1)
or: lambda heads: heads.mean(dim=1).repeat(1, 1, heads.shape[1])
    You average the heads. They stay side by side: what each one found would be lost.
one_below_the_other: lambda heads: heads.flatten(1, 2)
    Your heads stand one below the other, as if they were more tokens. They belong side by side:
    along the last dimension.
not_merged: .reshape(batch, seq_len, num_heads * head_dim) ->
    You transpose and stop there: the answer still has four dimensions. Merge the last two, the
    heads and their numbers.
tokens_merged: lambda heads: heads.flatten(2)
    You merge the tokens with the numbers of a head, which are the last two dimensions. The heads
    have to stand beside their numbers first: exchange dimensions 1 and 2.
tokens_before_sentences: heads.transpose(1, 2) -> heads.permute(2, 0, 1, 3)
    You put the tokens before the sentences and reshape as if the sentences still came first, so
    numbers of several sentences meet. Dimension 0 stays where it is: exchange 1 and 2.
tokens_with_features: transpose(1, 2) -> transpose(2, 3)
    You exchange the tokens with the numbers of a head. It is the heads and the tokens that have to
    change places: dimensions 1 and 2.
order_reversed: heads.transpose(1, 2) -> heads.flip(1).transpose(1, 2)
    Your heads come in reversed order: each token begins with the numbers of head 0.
tokens_reversed: heads.transpose(1, 2) -> heads.flip(2).transpose(1, 2)
    Your tokens come in reversed order. The split left them in their order, and so should the way
    back.
first_head_repeated: lambda heads: heads[:, 0].repeat(1, 1, heads.shape[1])
    You repeat head 0 in place of the others. Each head has numbers of its own.
first_two_heads: lambda heads: combine_heads(heads[:, :2])
or: lambda heads: torch.cat((heads[:, 0], heads[:, 1]), dim=-1)
    You join the first two heads only. There are heads.shape[1] of them.
first_sentence_only: lambda heads: combine_heads(heads[:1]).expand(len(heads), -1, -1)
    Every sentence gets the numbers of the first one: heads[0] is one sentence alone.
batch_lost: batch, seq_len, num_heads * head_dim -> batch * seq_len, num_heads * head_dim
    Your answer has two dimensions: the tokens of all sentences stand in one long list. Keep the
    batch as dimension 0.
squeezed: num_heads * head_dim) -> num_heads * head_dim).squeeze()
    You squeeze, which drops every dimension of length 1: a single sentence or token loses its
    dimension.
"""


def _cases(*sizes, lies_transposed=False, dtype=None):
    """(batch, num_heads, seq_len, head_dim) each; in memory as attention leaves it, or as split."""

    def make(generator):
        for batch, num_heads, seq_len, head_dim in sizes:
            if lies_transposed:
                heads = randn(generator, batch, seq_len, num_heads, head_dim).transpose(1, 2)
            else:
                heads = randn(generator, batch, num_heads, seq_len, head_dim)
            yield Case((heads.to(dtype),))

    return make


EXERCISE = Exercise(
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
            all_of(
                _cases((1, 2, 2, 2), (3, 3, 3, 3), (2, 3, 2, 2)),
                _cases((2, 2, 3, 4), lies_transposed=True),
                _cases((2, 2, 3, 4), (2, 1, 3, 4), (2, 3, 1, 2)),
                _cases((2, 4, 3, 2), dtype=float64),
            ),
        ),
        Property("gradients pass through", 1, gradient=_cases((2, 2, 3, 2))),
    ),
    mistakes=(MISTAKES, detached("heads", name="detached")),
)
