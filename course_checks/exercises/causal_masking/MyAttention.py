"""Lesson 05, exercise 8: the student's own attention, with masks and dropout."""

import math

import torch
from torch import float64, nn, ones, softmax

from course_checks.exercise import Case, Exercise, Property, randn
from course_checks.exercises.causal_masking.dropout_seen import dropout_fault, dropout_seen
from course_checks.exercises.causal_masking.lesson_16 import fault_in_lesson_16, seen_in_lesson_16
from course_checks.exercises.causal_masking.masked_softmax import renormalised as renormalised
from course_checks.exercises.causal_masking.masked_softmax import some
from course_checks.exercises.heads_in_one_matrix.MyMultiHead import NAMES, shapes_of
from course_checks.own_class import (
    HUGE,
    concluded,
    fill,
    numbers_for,
    observe_class,
    pasted,
    stretched,
)
from course_lib.attention.multi_head import MultiHeadAttention


class MyAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        for name in NAMES:
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None, is_causal=False):
        query, key, value = (
            projection(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for projection in (self.q_proj, self.k_proj, self.v_proj)
        )  # (batch, num_heads, seq_len, head_dim)
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        allowed = ones(scores.shape[-2:], dtype=torch.bool, device=x.device)
        if is_causal:
            allowed = allowed.tril()
        if mask is not None:
            allowed = allowed & mask
        has_any = allowed.any(dim=-1, keepdim=True)
        weights = softmax(scores.masked_fill(~allowed & has_any, -math.inf), dim=-1)
        weights = weights.masked_fill(~has_any, 0.0)
        heads = self.dropout(weights) @ value
        return self.out_proj(heads.transpose(1, 2).flatten(-2)), weights


MISTAKES = """
masked_after_softmax: scores.masked_fill(~allowed & has_any, -math.inf) -> scores && \
        ~has_any, 0.0 -> ~allowed, 0.0
    You mask after the softmax. What is blocked has had its share by then, so the rows no longer sum
    to 1: block the scores, before the softmax.
blocked_with_zero: ~allowed & has_any, -math.inf -> ~allowed, 0.0 && \
        weights = weights.masked_fill(~has_any, 0.0) ->
    You set blocked scores to 0. Their exponential is 1, so they keep a share: block with minus
    infinity.
renormalised_after: softmax(scores.masked_fill(~allowed & has_any, -math.inf), dim=-1) -> \
        renormalised(1e-9)(scores, allowed) || renormalised(1e-6)(scores, allowed) || \
        renormalised(0.0)(scores, allowed) || renormalised(0.0, fills=True)(scores, allowed)
    You mask after the softmax and divide by what is left. A large blocked score leaves nothing:
    then all that is allowed has a weight of 0, and the row does not sum to 1. Block the scores,
    before the softmax.
inverted: allowed & mask -> allowed & ~mask
    Your mask from outside is turned round: in this course True means may attend.
mask_ignored: if mask is not None -> if False
    You never use the mask that is given from outside.
causal_ignored: if is_causal -> if False
    You never use is_causal: with True, later tokens must be hidden.
always_causal: if is_causal -> if True
    You hide the later tokens whatever is_causal says. It is False unless somebody asks.
causal_by_default: is_causal=False): -> is_causal=True):
    Your is_causal is True where nobody says anything: forward(x, mask=None, is_causal=False).
other_order: mask=None, is_causal=False -> is_causal=False, mask=None
    Your is_causal comes before the mask. Who passes both without their names exchanges them:
    forward(x, mask=None, is_causal=False).
causal_in_one_mode: if is_causal -> if is_causal and self.training || \
        if is_causal and not self.training
    You hide the later tokens in one mode only. self.training is for dropout; what a query may see
    is the same in both.
mask_or_causal: allowed & mask -> (allowed | mask if is_causal else mask) || \
        allowed | mask
    With a mask and is_causal=True you allow what one of the two allows. Both must allow it: &,
    where you have |.
mask_alone: allowed & mask -> mask
    Where a mask is given you forget is_causal. Both must allow a pair.
causal_alone: if mask is not None -> if mask is not None and not is_causal
    Where is_causal is True you forget the mask. Both must allow a pair.
future_only: tril() -> triu()
    Your triangle is the wrong one: each query sees itself and what comes later. tril keeps what
    came before.
itself_hidden: tril() -> tril(-1)
    Your causal mask hides each token from itself. The diagonal belongs to what it may see.
one_too_many: tril() -> tril(1)
    Your causal mask lets each query see the next token too, which is the answer that it is asked
    for. tril without a number ends at the diagonal.
empty_rows_nan: & has_any -> && weights = weights.masked_fill(~has_any, 0.0) ->
    A row that allows nothing is minus infinity everywhere, and the softmax of that is NaN. Exercise
    6 has a way out.
low_number: & has_any, -math.inf -> , -1e9 && weights = weights.masked_fill(~has_any, 0.0) ->
or: & has_any, -math.inf -> , torch.finfo(torch.float32).min && \
        weights = weights.masked_fill(~has_any, 0.0) ->
    You block with a low number. Where a row allows nothing, all its scores are equally low, and the
    query quietly attends to everything that is blocked.
finite_number: & has_any, -math.inf -> , -1e9
or: scores.masked_fill(~allowed & has_any, -math.inf) -> scores + ~allowed * -1e4
    You block with a number such as -1e9. Scores may be larger than that, above 0 or below, and then
    the blocked keys win: block with minus infinity.
empty_rows_see_all: weights = weights.masked_fill(~has_any, 0.0) ->
    A query that may attend to nothing attends to everything in your class. Set its weights to 0
    behind the softmax.
mask_transposed: allowed & mask -> allowed & mask.transpose(-2, -1)
    You turn the mask round. Its rows are the queries, as those of the scores are.
first_mask: allowed & mask -> allowed & (mask if mask.dim() == 2 else mask[0]) || \
        allowed & mask.reshape(-1, *mask.shape[-2:])[0]
    You use the first of several masks for all. There may be one for each sentence and each head.
nan_in_gradients: scores.masked_fill(~allowed & has_any, -math.inf) -> \
        scores + torch.zeros_like(scores).masked_fill(~allowed, -math.inf) && \
        weights = weights.masked_fill(~has_any, 0.0) -> weights = weights.nan_to_num(0.0)
    Your numbers are right, and the gradients are NaN where a row allows nothing: you add minus
    infinity and mend the weights after the softmax. Let no NaN arise, as in exercise 6.
no_dropout: self.dropout(weights) -> weights
    In training nothing is dropped: the argument dropout is never used on the weights.
dropout_on_output: self.dropout(weights) -> weights && \
        self.out_proj(heads.transpose(1, 2).flatten(-2)) -> \
        self.dropout(self.out_proj(heads.transpose(1, 2).flatten(-2)))
    You drop numbers of the output. Here it is weights that are dropped, between the softmax and the
    values: then a whole token is not heard.
dropout_on_values: self.dropout(weights) @ value -> weights @ self.dropout(value)
    You drop numbers of the values. Here it is weights that are dropped, between the softmax and the
    values: then one query does not hear a token, and another one does.
dropout_sometimes: self.dropout(weights) -> (weights if is_causal else self.dropout(weights)) || \
        (self.dropout(weights) if mask is None else weights)
    In training you drop weights in some calls and not in others. Dropout does not depend on a mask
    or on is_causal.
dropout_by_default: dropout=0.0): -> dropout=0.1):
    Without the argument dropout your class drops weights all the same. The task says dropout=0.0.
renormalised_in_training: heads = self.dropout(weights) @ value -> \
        heads = self.dropout(weights) && return -> \
        heads = (heads / heads.sum(-1, True) if self.training else heads) @ value; return && \
        heads.transpose(1, 2) -> heads.transpose(1, 2)
    What stays in training is divided by its sum, so that each row sums to 1 again. It is divided by
    1 - dropout, whatever was dropped: then the sum is 1 on average.
dropout_on_scores: softmax(scores.masked_fill -> softmax(self.dropout(scores).masked_fill && \
        self.dropout(weights) -> weights
    You drop scores. A score of 0 is no weight of 0: drop behind the softmax.
dropout_in_eval: self.dropout(weights) -> F.dropout(weights, self.dropout.p)
    You drop in eval mode too. F.dropout does so unless it is told training=self.training;
    nn.Dropout knows by itself.
not_scaled: self.dropout(weights) -> \
        weights * (torch.rand_like(weights) >= self.dropout.p * self.training)
    What stays is not made larger. Where a share p is dropped, the rest is divided by 1 - p, so that
    the sum is the same on average: nn.Dropout does that.
no_scale: / math.sqrt(query.shape[-1]) ->
    Your scores are not divided by sqrt(head_dim): the softmax becomes too hard.
heads_before_tokens: .unflatten(-1, (self.num_heads, -1)).transpose(1, 2) -> \
        .reshape(len(x), self.num_heads, x.shape[1], -1)
    You reshape to (batch, num_heads, seq_len, head_dim) in one step. A reshape keeps the order of
    the numbers, so your heads hold pieces of several tokens: first (batch, seq_len, num_heads,
    head_dim), then exchange the two in the middle.
two_are_one: tied(MyAttention, "v_proj", "k_proj") || tied(MyAttention, "v_proj", "q_proj") || \
        tied(MyAttention, "k_proj", "q_proj")
    Two of your projections are one and the same layer. Make three: each has numbers of its own.
with_bias: , bias=False ->
    Your four layers have a bias: that is what nn.Linear does by itself. Here they have none:
    bias=False.
output_alone: flatten(-2)), weights -> flatten(-2))
    Your forward returns the output alone. Return the weights of the heads beside it.
cut_off: flatten(-2)), weights -> flatten(-2)).detach(), weights
    The numbers are right, but no gradient reaches the matrices, so they can never learn: detach,
    .data and no_grad cut it off.
"""


def observe(build, d_model, num_heads, dropout, numbers, x, mask, is_causal, with_gradients):
    """What the module computes with these numbers in its parameters, by part."""
    shapes = shapes_of(d_model)
    options = {} if mask is None else {"mask": mask, "is_causal": is_causal}
    positional = (None, True) if is_causal and mask is None else ()
    sizes = d_model, num_heads
    seen = observe_class(
        build, sizes, shapes, numbers, x, with_gradients, positional=positional, **options
    )
    if not isinstance(seen, dict):
        return seen
    if is_causal and mask is None and not concluded(seen)["use"]:
        module = pasted(build)(d_model, num_heads).to(x.dtype)
        seen["lesson_16"] = seen_in_lesson_16(module.eval(), x)
    if dropout > 0:
        module = pasted(build)(d_model, num_heads, dropout=dropout)
        fill(module, shapes, numbers)
        seen["dropout"] = dropout_seen(module.eval(), num_heads, d_model // num_heads, dropout)
    return seen


def conclude(seen, d_model, num_heads, dropout, *others):
    """The same, with what is wrong with its use later and with its dropout."""
    faults = concluded(seen)
    if "lesson_16" in faults:
        faults["use"] = fault_in_lesson_16(**faults.pop("lesson_16"))
    if "dropout" in faults:
        answers = iter(faults["dropout"])
        faults["dropout"] = dropout_fault(lambda *asked, **options: next(answers), dropout)
    return faults


def _case(
    generator, words, mask, size=(2, 4, 6, 2), is_causal=False, dropout=0.0, with_gradients=False,
    dtype=torch.float32, stretch=1.0,
):  # fmt: skip
    batch, length, d_model, num_heads = size
    numbers = numbers_for(generator, shapes_of(d_model), dtype, stretch)
    x = randn(generator, batch, length, d_model, dtype=dtype)
    label = f"{words}, {batch} sentence{'s' * (batch > 1)} of {length} tokens, d_model {d_model} "
    label += f"and {num_heads} head{'s' * (num_heads > 1)}{stretched(stretch)}"
    args = (d_model, num_heads, dropout, numbers, x, mask, is_causal, with_gradients)
    return Case(args, label=label)


def _no_mask(generator):
    return [
        _case(generator, "no mask", None),
        _case(generator, "no mask", None, (1, 5, 6, 2), stretch=30),
        _case(generator, "no mask and dtype torch.float64", None, (3, 3, 9, 3), dtype=float64),
    ]


def _causal(generator):
    return [
        _case(generator, "is_causal=True", None, (2, 5, 6, 3), is_causal=True),
        _case(generator, "is_causal=True", None, (1, 5, 4, 2), is_causal=True, stretch=HUGE),
    ]


def _masks(generator):
    """Every mask allows each query itself: no row is empty, with the causal one neither."""
    itself = torch.eye(4, dtype=torch.bool)
    shared, each, heads = (
        some(generator, *shape) | itself for shape in ((4, 4), (2, 1, 4, 4), (2, 3, 4, 4))
    )
    size = (2, 4, 6, 3)
    return [
        _case(generator, "one mask for all", shared, size),
        _case(generator, "one mask for all", shared, size, stretch=HUGE),
        _case(generator, "a mask for each head", heads, size),
        _case(generator, "a mask for each sentence and is_causal=True", each, size, is_causal=True),
    ]


def _empty(generator, with_gradients=False):
    mask = some(generator, 2, 1, 4, 4)
    mask[0, 0, 1] = mask[1] = False
    return [_case(generator, "a mask with empty rows", mask, with_gradients=with_gradients)]


EXERCISE = Exercise(
    reference=MyAttention,
    returns={
        "output": "(batch, seq_len, d_model)",
        "weights": "(batch, num_heads, seq_len, seq_len)",
        "use": "what is wrong with its use later, or nothing",
        "gradients": "all gradients, in one row",
        "dropout": "what is wrong with it, or nothing",
    },
    observe=observe,
    conclude=conclude,
    observed_with=("numbers", "x", "mask", "is_causal", "with_gradients"),
    library=(MultiHeadAttention.forward,),
    when_it_varies=(
        "Your class gave two answers to the same question. Does it drop weights in eval mode too, "
        "or draw other random numbers?"
    ),
    properties=(
        Property("without a mask every token sees all: the class of lesson 04", 1, _no_mask),
        Property("with is_causal=True each query sees itself and what came before", 1, _causal),
        Property(
            "a mask from outside is obeyed, and with is_causal=True both must allow a pair",
            2,
            _masks,
        ),
        Property("a query that may attend to nothing gets weights of 0", 1, _empty),
        Property(
            "dropout takes away weights in training, and nothing in eval mode",
            2,
            lambda generator: [_case(generator, "dropout 0.25", None, (2, 4, 16, 2), dropout=0.25)],
            "dropout",
        ),
        Property(
            "gradients reach all four matrices, and are finite with empty rows too",
            1,
            lambda generator: [
                _case(generator, "is_causal=True", None, is_causal=True, with_gradients=True),
                *_empty(generator, with_gradients=True),
            ],
            "gradients",
        ),
    ),
    mistakes=MISTAKES,
)
