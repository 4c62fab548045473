"""Lesson 12, exercise 5: the fused call without its traps, on any kernel."""

import itertools
import math
from unittest import mock

import torch
import torch.nn.functional as F

from course_checks.exercise import Exercise, Property
from course_checks.exercises.fast_attention.safe_attention_cases import (
    both,
    case,
    empty_row,
    longer,
    plain,
    some,
    without_keys,
)
from course_checks.judge.calling import beside, call
from course_lib.attention.masks import causal_mask
from course_lib.attention.scaled_dot_product import fused_attention, scaled_dot_product_attention
from course_lib.attention.tiled import tiled_attention


def safe_attention(query, key, value, mask, is_causal, dropout, training):
    if is_causal:
        causal = query.new_ones(len(query), len(key)).tril(len(key) - len(query)) > 0
        mask = causal if mask is None else mask & causal
    options = {"dropout_p": dropout if training else 0.0}
    if mask is None:
        return _attend(query, key, value, None, options)
    has_any = mask.any(dim=-1, keepdim=True)  # (query_len, 1)
    output = _attend(query, key, value, mask | ~has_any, options)
    return output.masked_fill(~has_any, 0.0)


MISTAKES = """
aligned_to_the_start: tril(len(key) - len(query)) -> tril()
or: tril(len(key) - len(query)) -> tril(0 if mask is None else len(key) - len(query))
or: tril(len(key) - len(query)) -> tril() && mask & causal -> \
                F.scaled_dot_product_attention(query, key, value, mask, is_causal=True) && \
                mask | ~has_any -> mask && .masked_fill(~has_any, 0.0) ->
    You line the first query up with the first key, as PyTorch's is_causal does. The queries are the
    last positions: row i may see the keys up to i + key_len - query_len.
one_too_many: len(key) - len(query) -> len(key) - len(query) + 1
    With is_causal each of your queries sees one key of the future.
not_causal: if is_causal -> if False
    Your is_causal changes nothing.
mask_forgotten: mask & causal -> causal
    Where is_causal is True you forget the mask. Both must allow a pair: &.
causal_forgotten: mask & causal -> mask
    Where there is a mask you forget is_causal. Both must allow a pair: &.
either: mask & causal -> mask | causal
    You allow a pair where the mask or is_causal allows it. Both must: &, not |.
inverted: mask | ~has_any -> ~(mask | ~has_any)
or: lambda query, key, value, mask, *more: \
        safe_attention(query, key, value, mask if mask is None else ~mask, *more)
    You turn the mask round. In PyTorch's call, as in this course, True = may attend.
added_as_numbers: mask | ~has_any -> (mask | ~has_any).float()
    You pass the mask as numbers. PyTorch adds them to the scores, and hides nothing.
mask_ignored: lambda *inputs: safe_attention(*inputs[:3], None, *inputs[4:])
    You never pass the mask on.
as_the_kernel_does: mask | ~has_any -> mask && .masked_fill(~has_any, 0.0) ->
    {EMPTY}
sees_everything: .masked_fill(~has_any, 0.0) ->
    You let a query without a key see everything, and leave it so. Set its row to zero.
drops_always: if training else 0.0 ->
    {ALWAYS_DROPS}
drops_never: dropout if training else 0.0 -> 0.0
    {NEVER_DROPS}
drops_sometimes: _attend(query, key, value, None, options) -> \
        _attend(query, key, value, None, {})
or: mask | ~has_any, options -> mask | ~has_any, {}
or: dropout if training -> dropout if training and not is_causal
    {DROPS_SOMETIMES}
drops_no_weights: options = -> query = F.dropout(query, dropout, training); options = && \
        dropout if training else 0.0 -> 0.0
    {NOT_THE_WEIGHTS}
"""


def _attend(query, key, value, mask, options):
    """PyTorch's call wants a batch and heads for its fused kernels."""
    batched = (t[None, None] for t in (query, key, value))
    return F.scaled_dot_product_attention(*batched, attn_mask=mask, **options)[0, 0]


_REAL = F.scaled_dot_product_attention


def _kernel_with(factor):
    """A kernel that gives a multiple of the mean value to rows without a key, as an H100's does."""

    def kernel(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, **options):
        output = _REAL(query, key, value, attn_mask, dropout_p, is_causal, **options)
        if attn_mask is None:
            return output
        allowed = attn_mask if attn_mask.dtype == torch.bool else attn_mask > -math.inf
        return torch.where(
            allowed.any(dim=-1, keepdim=True), output, factor * value.mean(dim=-2, keepdim=True)
        )

    return kernel


EMPTY = (
    "Some kernels give zeros to a query that may attend to nothing, and some the mean of all "
    "values or nan, so your answer depends on the machine. Let such a query see everything, and "
    "set its row to zero afterwards."
)
ALWAYS_DROPS = (
    "You drop weights although nobody is training. The call does not know of eval(): pass dropout "
    "only where training is True, and 0.0 elsewhere."
)
DROPS_SOMETIMES = (
    "In training you drop weights in some calls and not in others. Dropout does not depend on a "
    "mask or on is_causal: pass dropout_p on in every call."
)
NEVER_DROPS = "You never drop a weight. Where training is True, pass dropout on, as dropout_p."


NOT_THE_WEIGHTS = (
    "You drop something else than weights, or do not divide those that stay by 1 - dropout. "
    "Dropout sets single weights to 0, each by itself: pass it on, as dropout_p."
)


def _on_any_kernel(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    masked = case(generator, 4, 5, empty_row(generator, 4, 5)).args
    inputs = masked, without_keys(generator)[1].args
    for args, factor in itertools.product(inputs, (1.0, math.nan)):
        right = EXERCISE.reference(*args)
        outcome = beside(function, _call_on_a_kernel, factor, function, args)
        if outcome.answer is None:
            return None
        output = outcome.answer["output"]
        output = output.to(right.device)  # where it belongs is asked elsewhere
        if output.shape == right.shape and not torch.allclose(output, right, atol=1e-5):
            return EMPTY, ""
    return None


def _call_on_a_kernel(factor, function, args):
    with mock.patch.object(F, "scaled_dot_product_attention", _kernel_with(factor)):
        return call(EXERCISE, function, args, 0)


def _drops_in_training(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    inputs, masks = case(generator, 6, 8, None).args[:3], (None, some(generator, 6, 8))
    for training in (False, True):
        varies = []
        for mask, is_causal in itertools.product(masks, (False, True)):
            args = *inputs, mask, is_causal, 0.5, training
            answers = [call(EXERCISE, function, args, seed).answer for seed in range(2)]
            if None in answers:
                return None
            varies.append(not torch.equal(*(answer["output"] for answer in answers)))
        if any(varies) and not training:
            return ALWAYS_DROPS, ""
        if training and not all(varies):
            return DROPS_SOMETIMES if any(varies) else NEVER_DROPS, ""
    # Equal scores, and values that show the weights twice: each is 0 or 1/8, divided by 1 - 0.2.
    args = torch.zeros(6, 4), torch.zeros(8, 4), torch.eye(8).repeat(1, 2), None, False, 0.2, True
    answer = call(EXERCISE, function, args, 0).answer
    if answer and answer["output"].shape == (6, 16):
        weights, again = answer["output"].cpu().chunk(2, dim=1)
        kept = weights != 0
        is_right = torch.allclose(weights[kept], torch.tensor(1 / 8 / 0.8))
        by_itself = not (kept == kept[:1]).all() and not (kept == kept[:, :1]).all()
        if not (is_right and by_itself and torch.equal(weights, again)):
            return NOT_THE_WEIGHTS, ""
    return None


EXERCISE = Exercise(
    reference=safe_attention,
    returns={"output": "(query_len, value_dim)"},
    library=(scaled_dot_product_attention, fused_attention, tiled_attention, causal_mask),
    properties=(
        Property("no mask, is_causal or a mask, each alone", 1, plain),
        Property("with more keys than queries the last query sees the last key", 2, longer),
        Property("is_causal and a mask together: both must allow a pair", 1, both),
        Property("a query without a key gets zeros", 1, without_keys),
        Property("it does so whichever kernel runs", 2, judge=_on_any_kernel),
        Property("weights are dropped in training only", 1, judge=_drops_in_training),
    ),
    stretched="query",
    mistakes=MISTAKES,
)
