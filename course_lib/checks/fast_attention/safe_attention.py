"""Lesson 12, exercise 5: the fused call without its traps, on any kernel."""

import itertools
import math
from unittest import mock

import torch
import torch.nn.functional as F

from course_lib.attention.masks import causal_mask
from course_lib.attention.scaled_dot_product import fused_attention, scaled_dot_product_attention
from course_lib.attention.tiled import tiled_attention
from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.calling import call


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
    You line the first query up with the first key, as PyTorch's is_causal does. The queries are the
    last positions: row i may see the keys up to i + key_len - query_len.
left_to_the_switch: _switch_without_a_mask
or: _wired_to_torch
    You leave is_causal to PyTorch's switch. It lines the first query up with the first key, and the
    queries here are the last positions. Make the mask yourself: row i may see the keys up to
    i + key_len - query_len.
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
    You turn the mask round. In PyTorch's call, as in this course, True = may attend.
added_as_numbers: mask | ~has_any -> (mask | ~has_any).float()
    You pass the mask as numbers. PyTorch then adds 1 and 0 to the scores, and hides nothing: pass
    it as boolean.
mask_ignored: lambda *inputs: safe_attention(*inputs[:3], None, *inputs[4:])
    You never pass the mask on.
"""

MORE_MISTAKES = """
sees_everything: .masked_fill(~has_any, 0.0) ->
    You let a query without a key see everything, and leave it so. Set its row of the output to
    zero.
"""


def _wired_to_torch(query, key, value, mask, is_causal, dropout, training):
    """All arguments as they come: PyTorch aligns is_causal, and refuses it beside a mask."""
    options = {"dropout_p": dropout if training else 0.0, "is_causal": is_causal}
    return _attend(query, key, value, mask, options)


def _switch_without_a_mask(query, key, value, mask, is_causal, dropout, training):
    if is_causal and mask is None:
        return _wired_to_torch(query, key, value, mask, is_causal, dropout, training)
    return safe_attention(query, key, value, mask, is_causal, dropout, training)


def _drops_of_the_query(query, key, value, mask, is_causal, dropout, training):
    query = F.dropout(query, dropout, training)
    return safe_attention(query, key, value, mask, is_causal, 0.0, training)


def _drops_of_the_output(query, key, value, mask, is_causal, dropout, training):
    output = safe_attention(query, key, value, mask, is_causal, 0.0, training)
    return F.dropout(output, dropout, training)


def _not_divided(query, key, value, mask, is_causal, dropout, training):
    output = safe_attention(query, key, value, mask, is_causal, dropout, training)
    return output * (1 - dropout if training else 1.0)


def _attend(query, key, value, mask, options):
    """PyTorch's call wants a batch and heads for its fused kernels."""
    batched = (t[None, None] for t in (query, key, value))
    return F.scaled_dot_product_attention(*batched, attn_mask=mask, **options)[0, 0]


# --- other kernels ------------------------------------------------------------------------------

_REAL = F.scaled_dot_product_attention


def _kernel_with(empty):
    """A kernel like the one of an H100 that is wrong in rows without a key."""

    def kernel(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, **options):
        output = _REAL(query, key, value, attn_mask, dropout_p, is_causal, **options)
        if attn_mask is None:
            return output
        allowed = attn_mask if attn_mask.dtype == torch.bool else attn_mask > -math.inf
        return torch.where(allowed.any(dim=-1, keepdim=True), output, empty(value))

    return kernel


EMPTY = (
    "Some kernels give zeros to a query that may attend to nothing, and some the mean of all "
    "values "
    "or nan, so your answer depends on the machine. Let such a query see everything, and set its "
    "row to zero afterwards."
)
ALWAYS_DROPS = (
    "You drop weights although nobody is training. The call does not know of eval(): pass dropout "
    "only where training is True, and 0.0 elsewhere."
)
NEVER_DROPS = "You never drop a weight. Where training is True, pass dropout on, as dropout_p."


NOT_THE_WEIGHTS = (
    "You drop something else than weights, or do not divide those that stay by 1 - dropout. "
    "Dropout sets single weights to 0, each by itself: pass it on, as dropout_p."
)


def _on_any_kernel(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    masked = _case(generator, 4, 5, _empty_row(generator, 4, 5)).args
    for args, empty in itertools.product(
        (masked, _empty(generator)[1].args),
        (
            lambda value: value.mean(dim=-2, keepdim=True),
            lambda value: math.nan * value.mean(dim=-2, keepdim=True),
        ),
    ):
        right = EXERCISE.reference(*args)
        with mock.patch.object(F, "scaled_dot_product_attention", _kernel_with(empty)):
            outcome = call(EXERCISE, function, args, 0)
        if outcome.answer is None:
            return None
        output = outcome.answer["output"]
        output = output.to(right.device)  # where it belongs is asked elsewhere
        if output.shape == right.shape and not torch.allclose(output, right, atol=1e-5):
            return EMPTY, ""
    return None


def _drops_in_training(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    inputs = _case(generator, 6, 8, None).args[:3]
    for training, sentence in ((False, ALWAYS_DROPS), (True, NEVER_DROPS)):
        args = *inputs, None, False, 0.5, training
        answers = [call(EXERCISE, function, args, seed).answer for seed in range(2)]
        if None in answers:
            return None
        one, other = (answer["output"] for answer in answers)
        if torch.equal(one, other) == training:
            return sentence, ""
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


# --- cases --------------------------------------------------------------------------------------


def _case(generator, query_len, key_len, mask, is_causal=False, label=""):
    query, key = randn(generator, query_len, 4), randn(generator, key_len, 4)
    args = (query, key, randn(generator, key_len, 3), mask, is_causal, 0.0, False)
    return Case(args, label=label or f"{query_len} queries, {key_len} keys")


def _some(generator, query_len, key_len):
    """A random mask; every query may see key 0, and none sees all."""
    mask = torch.rand(query_len, key_len, generator=generator, device="cpu") < 0.5
    mask[:, 0], mask[:, 1] = True, False
    return mask


def _empty_row(generator, query_len, key_len):
    mask = _some(generator, query_len, key_len)
    mask[1] = False
    return mask


def _plain(generator):
    return [
        _case(generator, 2, 3, None, label="no mask"),
        _case(generator, 3, 3, None, is_causal=True, label="is_causal, 3 queries and 3 keys"),
        _case(generator, 3, 5, _some(generator, 3, 5), label="a mask"),
    ]


def _empty(generator):
    both = _some(generator, 4, 4)
    both[0, 0] = False  # and the others lie in its future
    return [
        _case(generator, 3, 4, _empty_row(generator, 3, 4), label="query 1 may see no key"),
        _case(generator, 4, 4, both, is_causal=True, label="query 0 may see later keys only"),
    ]


def _longer(generator):
    return [
        _case(generator, 1, 5, None, is_causal=True, label="is_causal, 1 query and 5 keys"),
        _case(generator, 2, 6, None, is_causal=True, label="is_causal, 2 queries and 6 keys"),
    ]


def _both(generator):
    mask = _some(generator, 4, 4)
    mask[:, 3] = True  # what is_causal must hide from all but the last
    return [
        _case(generator, 4, 4, mask, is_causal=True, label="is_causal and a mask"),
        _case(generator, 3, 6, _some(generator, 3, 6), is_causal=True, label="both, more keys"),
    ]


EXERCISE = Exercise(
    lesson="12",
    number=5,
    reference=safe_attention,
    returns={"output": "(query_len, value_dim)"},
    library=(scaled_dot_product_attention, fused_attention, tiled_attention, causal_mask),
    properties=(
        Property("no mask, is_causal or a mask, each alone", 1, _plain),
        Property("with more keys than queries the last query sees the last key", 2, _longer),
        Property("is_causal and a mask together: both must allow a pair", 1, _both),
        Property("a query without a key gets zeros", 1, _empty),
        Property("it does so whichever kernel runs", 2, judge=_on_any_kernel),
        Property("weights are dropped in training only", 1, judge=_drops_in_training),
    ),
    mistakes=(
        MISTAKES,
        Mistake(
            "as_the_kernel_does", EMPTY, "mask | ~has_any -> mask && .masked_fill(~has_any, 0.0) ->"
        ),
        MORE_MISTAKES,
        Mistake("drops_always", ALWAYS_DROPS, "if training else 0.0 ->"),
        Mistake("drops_never", NEVER_DROPS, "dropout if training else 0.0 -> 0.0"),
        Mistake(
            "drops_no_weights",
            NOT_THE_WEIGHTS,
            _drops_of_the_query,
            also=(_not_divided, _drops_of_the_output),
        ),
    ),
)
