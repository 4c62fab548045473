"""Lesson 04, exercise 1: from one wide projection to heads."""

from torch import float64, int64

from course_checks.exercise import Exercise, Property, all_of, random_cases
from course_checks.judge.gradient import detached
from course_lib.attention import multi_head


def split_heads(x, num_heads):
    batch, seq_len, d_model = x.shape
    heads = x.reshape(batch, seq_len, num_heads, d_model // num_heads)
    return heads.transpose(1, 2)  # (batch, num_heads, seq_len, head_dim)


MISTAKES = """
heads_before_time: batch, seq_len, num_heads, d_model // num_heads -> \
        batch, num_heads, seq_len, -1 && .transpose(1, 2) ->
    You go straight to (batch, num_heads, seq_len, head_dim). A view only counts on: the first
    numbers in memory are token 0 with all its features, and they fill head 0 with pieces of other
    heads. Make (batch, seq_len, num_heads, head_dim) first, then transpose.
no_transpose: .transpose(1, 2) ->
    Your tokens still stand before your heads: (batch, seq_len, num_heads, head_dim). Attention
    works on the last two dimensions, so the heads of one token would look at each other and no
    token would see another one. Exchange dimensions 1 and 2.
interleaved: num_heads, d_model // num_heads -> d_model // num_heads, num_heads && \
        transpose(1, 2) -> permute(0, 3, 1, 2)
    Your head i takes every num_heads-th feature, beginning with i. A head owns a block of
    neighbours: split the last dimension into (num_heads, head_dim), in this order.
transposed_too_early: x.reshape(batch, seq_len, num_heads, d_model // num_heads) -> \
        x.transpose(1, 2).reshape(batch, num_heads, seq_len, -1) && heads.transpose(1, 2) -> heads
    You transpose before you split. Then the features lie apart in memory, and the view that follows
    mixes tokens and heads. Split first, then transpose.
features_before_tokens: transpose(1, 2) -> permute(0, 2, 3, 1)
    Your last two dimensions are (head_dim, seq_len): each head is transposed. Tokens come first,
    their numbers last.
sizes_exchanged: num_heads, d_model // num_heads -> d_model // num_heads, num_heads
    You made head_dim heads of num_heads numbers each. num_heads says how many there are; head_dim
    is d_model // num_heads.
time_first: _time_first
    You merge batch and heads as if time came first, (seq_len, batch * num_heads, head_dim). Here
    the batch comes first, so your heads hold numbers of several sentences.
heads_first: transpose(1, 2) -> permute(2, 0, 1, 3)
    Your heads stand before the batch: (num_heads, batch, seq_len, head_dim). Each head is right;
    the batch should be dimension 0.
tokens_with_features: transpose(1, 2) -> transpose(1, 3)
    You exchange the tokens with the numbers of a head, dimensions 1 and 3. It is the tokens and the
    heads that have to change places: dimensions 1 and 2.
tokens_cut: batch, seq_len, num_heads, d_model // num_heads -> \
        batch, num_heads, seq_len // num_heads, d_model && .transpose(1, 2) ->
    You cut the tokens into num_heads parts. What the heads share out are the features of each
    token: split the last dimension.
order_reversed: transpose(1, 2) -> transpose(1, 2).flip(1)
    Your heads come in reversed order: head 0 owns the first features.
first_sentence_only: transpose(1, 2) -> transpose(1, 2)[:1].expand(batch, -1, -1, -1)
    Every sentence gets the heads of the first one: x[0] is one sentence alone. Split the whole
    batch.
first_block_for_all: transpose(1, 2) -> transpose(1, 2)[:, :1].expand(-1, num_heads, -1, -1)
    Every head gets the same features, the first head_dim of them. Head i begins at feature i *
    head_dim.
whole_for_all: lambda x, num_heads: torch.stack([x] * num_heads, dim=1)
    Every head gets all features. The heads share them out: d_model // num_heads each.
scaled: transpose(1, 2) -> transpose(1, 2) / (d_model // num_heads) ** 0.5
    You divide by the square root of head_dim. That belongs to the scores; a split moves numbers and
    changes none.
two_heads: num_heads, d_model // num_heads -> 2, d_model // 2
    You make two heads in every case. How many there are is num_heads.
squeezed: transpose(1, 2) -> transpose(1, 2).squeeze()
    You squeeze, which drops every dimension of length 1: with a single sentence, head or token the
    answer has the wrong number of dimensions.
separate_tensors: lambda x, num_heads: x.chunk(num_heads, dim=-1)
or: lambda x, num_heads: list(x.chunk(num_heads, dim=-1))
    You return the heads as separate tensors. One tensor should hold them all: torch.stack(heads,
    dim=1) gives them a dimension of their own.
"""


def _time_first(x, num_heads):
    batch, seq_len, _ = x.shape
    merged = x.reshape(seq_len, batch * num_heads, -1).transpose(0, 1)
    return merged.reshape(batch, num_heads, seq_len, -1)


EXERCISE = Exercise(
    reference=split_heads,
    returns={"heads": "(batch, num_heads, seq_len, head_dim)"},
    library=(multi_head.split_heads,),
    properties=(
        Property(
            "head i of a token is its numbers from i * head_dim to (i + 1) * head_dim",
            2,
            random_cases(((1, 3, 4), 2), ((2, 5, 12), 3)),
        ),
        Property(
            "the same holds when lengths are equal or 1, where shapes cannot tell a mistake",
            1,
            all_of(
                random_cases(
                    ((1, 2, 4), 2), ((3, 3, 9), 3), ((2, 4, 4), 4), ((2, 3, 4), 1), ((2, 1, 6), 3)
                ),
                random_cases(((2, 2, 6), 3), dtype=float64),
                random_cases(((2, 2, 6), 2), dtype=int64),
            ),
        ),
        Property("gradients pass through", 1, gradient=random_cases(((2, 3, 4), 2))),
    ),
    mistakes=(MISTAKES, detached("x", name="detached")),
)
