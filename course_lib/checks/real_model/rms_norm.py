"""Lesson 16, exercise 1: RMSNorm, the norm of Llama and its relatives."""

import torch
from torch import float64

from course_lib.checks.exercise import Exercise, Mistake, Property
from course_lib.checks.judge.feedback import number
from course_lib.checks.judge.gradient import OTHER_GRADIENT, cut_off, gradient_fault
from course_lib.checks.real_model.norm_cases import cases, small
from course_lib.checks.real_model.norm_versions import (
    by_largest,
    by_mean,
    by_mean_size,
    centred,
    eps_outside,
    first_token_for_all,
    less_one,
    multiplied,
    no_keepdim,
    over_axes_1_and_2,
    scaled_normalize,
    size_detached,
    squares_around_the_mean,
    variant,
    weight_in_the_size,
    without_eps,
    without_zero,
)


def rms_norm(x, weight, eps):
    mean_square = x.square().mean(dim=-1, keepdim=True)  # (..., 1)
    return x / (mean_square + eps).sqrt() * weight


# --- wrong versions -----------------------------------------------------------------------------


def _weight_first(x, weight, eps):
    return rms_norm(x * weight, torch.ones_like(weight), eps)


def _mean_square_after(args, expected, got):
    weight = args[1]
    sizes = [
        (parts["normalised"] / weight).square().mean(dim=-1).sqrt().reshape(-1)
        for parts in (expected, got)
    ]
    token = (sizes[1] - sizes[0]).abs().argmax()
    return (
        f"Here one token has (before the weight) a root mean square of "
        f"{number(float(sizes[1][token]))} instead of {number(float(sizes[0][token]))}."
    )


TENSORS = ("x", "weight")


def _learns(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    return gradient_fault(EXERCISE, function, cases((2, 3, 4))(generator))


EXERCISE = Exercise(
    lesson="16",
    number=1,
    reference=rms_norm,
    returns={"normalised": "the shape of x"},
    forbidden=tuple(
        (torch, name, "torch's own norm is closed here: write it from the formula")
        for name in ("rms_norm", "_fused_rms_norm")
    ),
    properties=(
        Property(
            "the mean of each token's squares becomes 1, and nothing is subtracted",
            2,
            cases((3, 4), (4, 4), plain=True),
        ),
        Property("weight then scales each feature", 1, cases((3, 4), (4, 4))),
        Property("eps keeps small tokens small, and a token of zeros finite", 1, small),
        Property(
            "the same holds for batches, for large tokens, and in float64",
            1,
            lambda generator: (
                cases((2, 3, 5), (3, 2, 4, 3), (4, 1, 6))(generator)
                + cases((3, 4), (2, 3, 4), spread=1000.0)(generator)
                + cases((2, 4, 3), dtype=float64)(generator)
            ),
        ),
        Property("gradients reach x and weight, through the root too", 1, judge=_learns),
    ),
    mistakes=(
        Mistake(
            "layer_norm",
            "You subtract each token's mean and divide by the standard deviation. That is "
            "LayerNorm. RMSNorm leaves the mean where it is, and divides by the root of the mean "
            "of the squares of x itself.",
            variant(size=squares_around_the_mean, numerator=centred),
            also=(
                variant(size=squares_around_the_mean, numerator=centred, count=less_one),
                variant(size=squares_around_the_mean, numerator=centred, root=eps_outside),
                variant(
                    size=squares_around_the_mean,
                    numerator=centred,
                    count=less_one,
                    root=eps_outside,
                ),
            ),
        ),
        Mistake(
            "by_standard_deviation",
            "You divide by the standard deviation, which measures from the token's mean. RMSNorm "
            "measures from 0: the mean of the squares of x itself.",
            variant(size=squares_around_the_mean),
            also=(
                variant(size=squares_around_the_mean, count=less_one),
                variant(size=squares_around_the_mean, root=eps_outside),
                variant(size=squares_around_the_mean, count=less_one, root=eps_outside),
            ),
        ),
        Mistake(
            "mean_subtracted",
            "You subtract each token's mean above the line, though below it you measure x itself. "
            "RMSNorm subtracts nothing.",
            variant(numerator=centred),
        ),
        Mistake(
            "sum_of_squares",
            "You divide by the length of the token, the root of the sum of its squares. It should "
            "be the root of their mean, so that the features keep a size of about 1 however many "
            "there are.",
            variant(count=lambda d: 1),
            _mean_square_after,
            also=(
                variant(count=lambda d: 1, root=eps_outside),
                variant(count=lambda d: 1, root=without_eps),
                variant(count=lambda d: 1, root=lambda square, eps: square.sqrt().clamp(min=eps)),
                variant(count=lambda d: 1, root=without_zero),
            ),
        ),
        Mistake(
            "less_one",
            "You divide the sum of the squares by d - 1. Their mean divides by d: nothing was "
            "subtracted that could take a number away.",
            variant(count=less_one),
            _mean_square_after,
        ),
        Mistake(
            "mean_size",
            "You divide by the mean size of the features, without squares. It is the root of the "
            "mean of their squares.",
            by_mean_size,
            _mean_square_after,
            also=(variant(size=torch.abs, root=lambda mean, eps: (mean.square() + eps).sqrt()),),
        ),
        Mistake(
            "square_of_mean",
            "You square the mean. Take the squares first and then their mean: large features of "
            "both signs do not cancel.",
            by_mean,
        ),
        Mistake(
            "largest",
            "You divide by the largest feature. It is the root of the mean of the squares of all.",
            by_largest,
        ),
        Mistake(
            "no_root",
            "You divide by the mean of the squares. What has the size of a feature is its root.",
            variant(root=lambda mean_square, eps: mean_square + eps),
            _mean_square_after,
        ),
        Mistake(
            "multiplied",
            "You multiply by the root where you should divide. Large tokens become larger still: "
            "is it rsqrt or sqrt?",
            multiplied,
            _mean_square_after,
        ),
        Mistake(
            "eps_outside",
            "You add eps after the root. It belongs to the mean of the squares, inside the root: "
            "(mean_square + eps).sqrt().",
            variant(root=eps_outside),
            _mean_square_after,
        ),
        Mistake(
            "no_eps",
            "You leave eps out. A token of zeros then gives 0/0.",
            variant(root=without_eps),
        ),
        Mistake(
            "eps_of_its_own",
            "You use an eps of your own, whatever eps is given.",
            variant(root=lambda mean_square, eps: (mean_square + 1e-5).sqrt()),
            also=(
                variant(root=lambda mean_square, eps: (mean_square + 1e-6).sqrt()),
                variant(root=lambda mean_square, eps: (mean_square + 1e-8).sqrt()),
            ),
        ),
        Mistake(
            "eps_as_least",
            "You take eps as the smallest value there may be. It is added to every mean of "
            "squares.",
            variant(root=lambda mean_square, eps: mean_square.clamp(min=eps).sqrt()),
            also=(
                variant(root=lambda mean_square, eps: mean_square.sqrt().clamp(min=eps)),
                scaled_normalize,
            ),
        ),
        Mistake(
            "eps_squared",
            "You add eps squared. It is eps itself that is added to the mean of the squares.",
            variant(root=lambda mean_square, eps: (mean_square + eps**2).sqrt()),
        ),
        Mistake(
            "eps_before_the_mean",
            "You add eps to the features before you square them. It is added to the mean of the "
            "squares.",
            lambda x, weight, eps: x / (x + eps).square().mean(-1, keepdim=True).sqrt() * weight,
        ),
        Mistake(
            "zero_replaced",
            "You leave eps out and treat a token of zeros by itself. eps is added to every mean of "
            "squares: it keeps small tokens small.",
            variant(root=lambda mean_square, eps: mean_square.sqrt() + (mean_square == 0)),
            also=(variant(root=without_zero),),
        ),
        Mistake(
            "over_tokens",
            "Your mean runs over the tokens of a sentence, one for each feature. Each token is "
            "measured by itself, over its own features: dim=-1.",
            variant(dims=lambda x: (-2,)),
        ),
        Mistake(
            "over_the_first_axis",
            "Your mean runs over the first axis: dim=0, the tokens of a matrix, the sentences of a "
            "batch. The features of a token are the last axis: dim=-1.",
            variant(dims=lambda x: (0,)),
        ),
        Mistake(
            "over_axis_1",
            "Your mean runs over axis 1. In a matrix these are the features, but in a batch "
            "(batch, length, d_model) they are the tokens. Count from the end: dim=-1.",
            variant(dims=lambda x: (1,)),
        ),
        Mistake(
            "over_sentences",
            "You take one mean for a whole sentence, tokens and features together. Each token has "
            "its own: dim=-1 alone.",
            variant(dims=lambda x: (-2, -1)),
            also=(over_axes_1_and_2,),
        ),
        Mistake(
            "over_everything",
            "You take one mean for all numbers of x. Each token has its own: dim=-1.",
            variant(dims=lambda x: tuple(range(x.dim()))),
        ),
        Mistake(
            "over_the_batch",
            "Your mean runs over all tokens of the batch, one for each feature. Each token is "
            "measured by itself, over its features: dim=-1.",
            variant(dims=lambda x: tuple(range(x.dim() - 1))),
        ),
        Mistake(
            "first_token_for_all",
            "You measure the first token and divide all tokens by its size. Each token has its "
            "own: dim=-1, keepdim=True.",
            first_token_for_all,
        ),
        Mistake(
            "no_keepdim",
            "Your mean has lost the last axis, so its numbers meet the features and not the "
            "tokens, if the shapes allow it at all. keepdim=True leaves an axis of size 1.",
            no_keepdim,
        ),
        Mistake(
            "no_weight",
            "You leave weight out. After the division each feature is multiplied by its own "
            "weight, which the model has learned.",
            variant(affine=lambda normal, weight: normal),
        ),
        Mistake(
            "one_plus_weight",
            "You multiply by 1 + weight, as Gemma does, whose weights begin at 0. In Llama and its "
            "relatives it is the weight itself.",
            variant(affine=lambda normal, weight: normal * (1 + weight)),
        ),
        Mistake(
            "weight_added",
            "You add weight. It is a factor for each feature; RMSNorm adds nothing.",
            variant(affine=lambda normal, weight: normal + weight),
        ),
        Mistake(
            "divided_by_weight",
            "You divide by weight. It is a factor for each feature.",
            variant(affine=lambda normal, weight: normal / weight),
        ),
        Mistake(
            "weight_twice",
            "You multiply by weight twice. Once is asked for.",
            variant(affine=lambda normal, weight: normal * weight * weight),
        ),
        Mistake(
            "weight_first",
            "You multiply by weight before you measure, so the norm undoes a part of it. First "
            "measure and divide x, then multiply.",
            _weight_first,
            also=(weight_in_the_size,),
        ),
        Mistake("cut_off", cut_off(*TENSORS), lambda *inputs: rms_norm(*inputs).detach()),
        Mistake("gradient_cut", OTHER_GRADIENT, size_detached),
    ),
)
