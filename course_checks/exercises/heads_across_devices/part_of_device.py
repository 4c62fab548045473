"""Lesson 15, exercise 2: what one device computes, before anything is exchanged."""

import math

from course_checks.exercise import TORCH_ATTENTION, Case, Exercise, Property, randn
from course_checks.judge.feedback import count_of
from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention


def part_of_device(x, w_query, w_key, w_value, w_out, head_dim):
    query, key, value = (
        (x @ weight.T).unflatten(-1, (-1, head_dim)).transpose(0, 1)
        for weight in (w_query, w_key, w_value)
    )
    scores = query @ key.transpose(-2, -1) / math.sqrt(head_dim)
    heads = scores.softmax(dim=-1) @ value  # (heads here, seq_len, head_dim)
    return heads.transpose(0, 1).flatten(1) @ w_out.T


MISTAKES = """
one_wide_head: (x @ weight.T).unflatten(-1, (-1, head_dim)).transpose(0, 1) -> (x @ weight.T)[None]
or: (x @ weight.T).unflatten(-1, (-1, head_dim)).transpose(0, 1) -> (x @ weight.T)[None] && \
        math.sqrt(head_dim) -> math.sqrt(len(w_query))
    You treat all features that are here as one head. There may be several heads of head_dim
    features.
torn_apart: (-1, head_dim)).transpose(0, 1) -> (head_dim, -1)).permute(2, 0, 1) && \
        heads.transpose(0, 1) -> heads.permute(1, 2, 0)
or: (-1, head_dim)).transpose(0, 1) -> (head_dim, -1)).permute(2, 0, 1)
    You take every n-th feature for a head. Its features are neighbours: unflatten(-1, (-1,
    head_dim)).
positions_mixed: .unflatten(-1, (-1, head_dim)).transpose(0, 1) -> \
        .reshape(-1, len(x), head_dim) && heads.transpose(0, 1).flatten(1) -> \
        heads.reshape(len(x), -1)
or: .unflatten(-1, (-1, head_dim)).transpose(0, 1) -> .reshape(-1, len(x), head_dim)
    You reshape to heads without a transpose, and positions and heads get mixed. First (seq_len,
    heads, head_dim), then transpose.
joined_wrongly: heads.transpose(0, 1).flatten(1) -> heads.reshape(heads.shape[1], -1)
    You join the heads without the transpose back, and positions and heads get mixed.
joined_in_turns: heads.transpose(0, 1).flatten(1) -> heads.permute(1, 2, 0).flatten(1)
    You join the heads feature by feature. The features of one head stay neighbours.
not_scaled: / math.sqrt(head_dim) ->
    You do not divide the scores by the square root of head_dim.
scaled_by_all: math.sqrt(head_dim) -> math.sqrt(len(w_query)) || math.sqrt(x.shape[-1])
    You divide by the square root of another width. A score is a sum over the features of one head:
    head_dim.
divided_by_head_dim: math.sqrt(head_dim) -> head_dim
    You divide the scores by head_dim. It is its square root.
softmax_over_queries: softmax(dim=-1) -> softmax(dim=-2) || softmax(dim=0)
    Your softmax does not run over the keys. Each query's weights sum to 1: take the last dimension.
out_not_transposed: w_out.T -> w_out || weight.T -> weight
    You multiply with a matrix as it is. They are used as in nn.Linear: heads @ w_out.T.
no_softmax: scores.softmax(dim=-1) -> scores
    You leave out the softmax.
first_head_only: (-1, head_dim)).transpose(0, 1) -> (-1, head_dim)).transpose(0, 1)[:1] && \
        w_out.T -> w_out[:, :head_dim].T
    You compute the first head of the device only. All that are here count.
causal: scores.softmax -> scores.masked_fill(torch.ones_like(scores).triu(1) > 0, -math.inf).softmax
    You hide later tokens. There is no mask in this exercise.
mean_of_heads: w_out.T -> w_out.T / len(heads)
    You take the mean over the heads. Their shares of the output are added up.
"""


def _cases(*sizes):
    """(heads here, head_dim, seq_len, d_model) each."""

    def make(generator):
        for heads, head_dim, seq_len, d_model in sizes:
            qkv = [randn(generator, heads * head_dim, d_model) for _ in range(3)]
            w_out = randn(generator, d_model, heads * head_dim)
            case = (randn(generator, seq_len, d_model), *qkv, w_out, head_dim)
            label = f"{count_of(heads, 'head')} of {head_dim} features on this device"
            yield Case(case, label=label)

    return make


EXERCISE = Exercise(
    reference=part_of_device,
    returns={"part": "(seq_len, d_model)"},
    library=(scaled_dot_product_attention, MultiHeadAttention.forward),
    forbidden=(TORCH_ATTENTION,),
    properties=(
        Property("a device with one head", 2, _cases((1, 2, 3, 2), (1, 3, 4, 6))),
        Property(
            "a device with several heads", 3, _cases((2, 2, 3, 4), (3, 2, 4, 5), (2, 4, 3, 16))
        ),
    ),
    stretched="w_query",
    mistakes=MISTAKES,
)
