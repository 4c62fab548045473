"""Lesson 04, exercise 10: all heads in one matrix per projection, as a class."""

import math
from functools import partial

import torch
from torch import float64, nn, softmax

from course_checks.exercise import Exercise, Property, all_of
from course_checks.own_class import HUGE, cases_of_heads, concluded, observe_class
from course_checks.tensor_watch import PRODUCTS, TensorWatch
from course_lib.attention.multi_head import MultiHeadAttention

NAMES = ("q_proj", "k_proj", "v_proj", "out_proj")


class MyMultiHead(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        for name in NAMES:
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    def forward(self, x):
        batch, length, d_model = x.shape
        query, key, value = (
            projection(x).reshape(batch, length, self.num_heads, -1).transpose(1, 2)
            for projection in (self.q_proj, self.k_proj, self.v_proj)
        )  # (batch, num_heads, seq_len, head_dim)
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        weights = softmax(scores, dim=-1)  # (batch, num_heads, seq_len, seq_len)
        joined = (weights @ value).transpose(1, 2).reshape(batch, length, d_model)
        return self.out_proj(joined), weights


MISTAKES = """
heads_before_tokens: reshape(batch, length, self.num_heads, -1).transpose(1, 2) -> \
        reshape(batch, self.num_heads, length, -1)
or: reshape(batch, length, self.num_heads, -1).transpose(1, 2) -> \
        reshape(batch, self.num_heads, length, -1) && \
        (weights @ value).transpose(1, 2) -> (weights @ value)
    You reshape to (batch, num_heads, seq_len, head_dim) in one step. A reshape keeps the order of
    the numbers, so your heads hold pieces of several tokens: first (batch, seq_len, num_heads,
    head_dim), then exchange the two in the middle.
no_transpose: -1).transpose(1, 2) -> -1) && (weights @ value).transpose(1, 2) -> (weights @ value)
    Your heads stand behind the tokens, (batch, seq_len, num_heads, head_dim), when the scores are
    made. Then the heads of one token attend to each other, and no token sees another: exchange the
    two in the middle first.
features_before_heads: self.num_heads, -1).transpose(1, 2) -> \
        -1, self.num_heads).permute(0, 3, 1, 2)
or: self.num_heads, -1).transpose(1, 2) -> \
        -1, self.num_heads).permute(0, 3, 1, 2) && \
        (weights @ value).transpose(1, 2) -> (weights @ value).permute(0, 2, 3, 1)
    You cut the features into (head_dim, num_heads): head i then gets every num_heads-th feature.
    Its features are neighbours: (num_heads, head_dim).
joined_without_transpose: (weights @ value).transpose(1, 2) -> (weights @ value)
    You reshape the heads back without exchanging the tokens and the heads first. The shape is right
    and the numbers are mixed: a row of yours holds several tokens of one head.
one_head: self.num_heads, -1) -> 1, -1)
    You never split the heads: there is one head of d_model features.
scaled_by_d_model: query.shape[-1] -> d_model
evidence: largest("weights")
    You divide the scores by sqrt(d_model). The dot product of a head runs over head_dim numbers,
    and that is what the scale has to undo.
whole_root: math.sqrt(query.shape[-1]) -> math.isqrt(query.shape[-1])
    math.isqrt rounds the root down to a whole number. math.sqrt does not.
tokens_first: batch, length, d_model = x.shape -> x = x.transpose(0, 1); \
        batch, length, d_model = x.shape && self.out_proj(joined), -> \
        self.out_proj(joined).transpose(0, 1),
    You take x for (seq_len, batch, d_model). The batch comes first: with as many sentences as
    tokens, a token would attend to other sentences.
no_scale: / math.sqrt(query.shape[-1]) ->
evidence: largest("weights")
    Your scores are not divided by sqrt(head_dim): the softmax becomes too hard.
overflows: softmax(scores, dim=-1) -> scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
    You take exp of the scores as they are, and it overflows. torch.softmax subtracts the largest
    score first.
softmax_over_queries: dim=-1 -> dim=-2
evidence: column_sums()
    Your softmax runs over the queries instead of the keys: it is the rows that have to sum to 1.
softmax_over_heads: dim=-1 -> dim=1
    Your softmax runs over dimension 1, the heads. Each head shares out a 1 of its own among the
    keys: dim=-1.
out_proj_unused: self.out_proj(joined) -> joined
    You return the heads as they are joined. They have to pass through out_proj.
all_in_one: _in_one("qkv_proj") || _in_one("qkv") || _in_one("in_proj") || _in_one("c_attn") || \
        _in_one("to_qkv")
    Query, key and value come out of one layer of yours. That is done too, as in exercise 6; here
    each has a matrix of its own, q_proj, k_proj and v_proj.
two_are_one: tied(MyMultiHead, "v_proj", "k_proj") || tied(MyMultiHead, "v_proj", "q_proj") || \
        tied(MyMultiHead, "k_proj", "q_proj")
    Two of your projections are one and the same layer. Make three: each has numbers of its own.
with_bias: , bias=False ->
    Your four layers have a bias: that is what nn.Linear does by itself. Here they have none:
    bias=False.
weights_averaged: self.out_proj(joined), weights -> self.out_proj(joined), weights.mean(dim=1)
    You average the weights over the heads. Then nobody can tell any more which head looked where:
    return them as they are.
output_alone: self.out_proj(joined), weights -> self.out_proj(joined)
    Your forward returns the output alone. Return the weights of the heads beside it.
swapped: self.out_proj(joined), weights -> weights, self.out_proj(joined)
    The two answers are in the other order: the output comes first, then the weights.
cut_off: self.out_proj(joined), weights -> self.out_proj(joined).detach(), weights
    The numbers are right, but no gradient reaches the matrices, so they can never learn: detach,
    .data and no_grad cut it off.
"""


def shapes_of(d_model):
    return {f"{name}.weight": (d_model, d_model) for name in NAMES}


def observe(build, d_model, num_heads, numbers, x, with_gradients):
    """What the module computes with these numbers in its parameters, by part."""
    sizes = d_model, num_heads
    return observe_class(build, sizes, shapes_of(d_model), numbers, x, with_gradients)


def at_once(build):
    """(sentence, evidence) where more heads take more products or softmaxes, else None."""
    try:
        two, four = (_work(build(8, heads)) for heads in (2, 4))
    except Exception:  # the cases of the other properties say which
        return None
    if two == four:
        return None
    return (
        "Your class is right and still goes through its heads one after the other. Keep the heads "
        "in a dimension of their own: then one product serves them all.",
        f"{two} products, sums and softmaxes for 2 heads, {four} for 4",
    )


def _work(module) -> int:
    """How many products, sums and softmaxes one call takes."""
    with torch.no_grad(), TensorWatch() as watch:
        module(torch.ones(2, 3, 8))
    return sum(watch.calls[name] for name in PRODUCTS | {"softmax", "exp", "mul", "sum"})


def _in_one(name):
    class Version(MyMultiHead):
        def __init__(self, d_model, num_heads):
            super().__init__(d_model, num_heads)
            del self.q_proj, self.k_proj, self.v_proj
            setattr(self, name, nn.Linear(d_model, 3 * d_model, bias=False))

    return Version


MAIN = ((1, 3, 6, 2), (2, 5, 6, 3), (2, 3, 4, 1))

_cases = partial(cases_of_heads, lambda d_model, num_heads: shapes_of(d_model))

EXERCISE = Exercise(
    reference=MyMultiHead,
    returns={
        "output": "(batch, seq_len, d_model)",
        "weights": "(batch, num_heads, seq_len, seq_len)",
        "use": "what is wrong with its use later, or nothing",
        "gradients": "all gradients, in one row",
    },
    observe=observe,
    conclude=concluded,
    observed_with=("numbers", "x", "with_gradients"),
    library=(MultiHeadAttention.forward,),
    properties=(
        Property(
            "head i attends with its own features, i * head_dim to (i + 1) * head_dim - 1",
            2,
            _cases(*MAIN),
            "weights",
        ),
        Property("the output is out_proj of all heads side by side", 1, _cases(*MAIN), "output"),
        Property(
            "the same holds when all sizes are equal, where shapes cannot tell a mistake, in "
            "float64, with scores of any size, and for one text after another",
            1,
            all_of(
                _cases((2, 2, 4, 2), (3, 3, 9, 3)),
                _cases((2, 3, 4, 2), dtype=float64),
                _cases((2, 4, 6, 3), stretch=30),
                _cases((2, 4, 6, 3), stretch=HUGE),
            ),
        ),
        Property(
            "gradients reach all four matrices",
            1,
            _cases((2, 3, 4, 2), with_gradients=True),
            "gradients",
        ),
        Property(
            "all heads attend at once, without a loop", 1, judge=at_once, measured_inside=True
        ),
    ),
    mistakes=MISTAKES,
)
