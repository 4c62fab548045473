"""Lesson 16, exercise 1: RMSNorm, the norm of Llama and its relatives."""

import torch
from torch import float64

from course_checks.exercise import Exercise, Mistake, Property, all_of
from course_checks.exercises.real_model.norm_cases import cases, small
from course_checks.judge.feedback import number
from course_checks.judge.gradient import OTHER_GRADIENT, detached


def rms_norm(x, weight, eps):
    mean_square = x.square().mean(dim=-1, keepdim=True)  # (..., 1)
    return x / (mean_square + eps).sqrt() * weight


MISTAKES = """
layer_norm: x.square().mean( -> x.var(correction=0, && return x -> return (x - x.mean(-1, True))
or: x.square().mean( -> x.var( && return x -> return (x - x.mean(-1, True))
or: x.square().mean( -> x.var(correction=0, && return x / (mean_square + eps).sqrt() -> \
        return (x - x.mean(-1, True)) / (mean_square.sqrt() + eps)
or: x.square().mean( -> x.var( && return x / (mean_square + eps).sqrt() -> \
        return (x - x.mean(-1, True)) / (mean_square.sqrt() + eps)
    You subtract each token's mean and divide by the standard deviation. That is LayerNorm: RMSNorm
    divides by the root of the mean of the squares of x itself.
by_standard_deviation: x.square().mean( -> x.var(correction=0, || x.var(
or: x.square().mean( -> x.var(correction=0, && (mean_square + eps).sqrt() -> \
        (mean_square.sqrt() + eps)
or: x.square().mean( -> x.var( && (mean_square + eps).sqrt() -> (mean_square.sqrt() + eps)
    You divide by the standard deviation, which measures from the mean. RMSNorm measures from 0: the
    squares of x itself.
mean_subtracted: return x -> return (x - x.mean(dim=-1, keepdim=True))
    You subtract each token's mean above the line. RMSNorm subtracts nothing.
sum_of_squares: .mean( -> .sum(
or: .mean( -> .sum( && (mean_square + eps).sqrt() -> (mean_square.sqrt() + eps)
or: .mean( -> .sum( && (mean_square + eps) -> mean_square
or: .mean( -> .sum( && (mean_square + eps).sqrt() -> mean_square.sqrt().clamp(min=eps)
or: .mean( -> .sum( && (mean_square + eps).sqrt() -> mean_square.sqrt().clamp(min=1e-12)
evidence: _mean_square_after
    You divide by the root of the sum of the squares. It should be the root of their mean.
less_one: .mean(dim=-1, keepdim=True) -> .sum(dim=-1, keepdim=True) / (x.shape[-1] - 1)
evidence: _mean_square_after
    You divide the sum of the squares by d - 1. Their mean divides by d.
mean_size: .square() -> .abs() && .sqrt() -> || .square() -> .abs() && mean_square + eps -> \
        mean_square.square() + eps || x.square().mean( -> x.abs().amax( && .sqrt() -> 
evidence: _mean_square_after
    You divide by the mean size of the features, or the largest. Take the root of the mean of their
    squares.
square_of_mean: x.square().mean(dim=-1, keepdim=True) -> x.mean(dim=-1, keepdim=True).square()
    You square the mean. Take the squares first: features of both signs do not cancel.
no_root: .sqrt() ->
evidence: _mean_square_after
    You divide by the mean of the squares. What has the size of a feature is its root.
multiplied: x / ( -> x * (
evidence: _mean_square_after
    You multiply by the root where you should divide: is it rsqrt or sqrt?
eps_outside: (mean_square + eps).sqrt() -> (mean_square.sqrt() + eps)
evidence: _mean_square_after
    You add eps after the root. It belongs inside: (mean_square + eps).sqrt().
no_eps: (mean_square + eps) -> mean_square
    You leave eps out. A token of zeros then gives 0/0.
eps_of_its_own: + eps -> + 1e-5 || + 1e-6 || + 1e-8
    You use an eps of your own, whatever eps is given.
eps_as_least: (mean_square + eps) -> mean_square.clamp(min=eps)
or: (mean_square + eps).sqrt() -> mean_square.sqrt().clamp(min=eps)
or: x / (mean_square + eps).sqrt() -> F.normalize(x, dim=-1, eps=eps) * x.shape[-1] ** 0.5
    You take eps as the smallest value there may be. It is added to every mean of squares.
eps_squared: + eps -> + eps**2
or: x.square() -> (x + eps).square() && (mean_square + eps) -> mean_square
    You add eps squared, or to the features. It is added to the mean of the squares, as it is.
zero_replaced: (mean_square + eps).sqrt() -> (mean_square.sqrt() + (mean_square == 0))
or: (mean_square + eps).sqrt() -> mean_square.sqrt().clamp(min=1e-12)
    You leave eps out and treat a token of zeros by itself. Add eps to every mean of squares.
over_tokens: dim=-1 -> dim=-2 || dim=tuple(range(x.dim() - 1))
    Your mean runs over tokens, one for each feature. Each token is measured by itself: dim=-1.
over_the_first_axis: dim=-1 -> dim=0
    Your mean runs over the first axis, tokens or sentences. The features are the last: dim=-1.
over_axis_1: dim=-1 -> dim=1
    Your mean runs over axis 1. In a batch these are the tokens: count from the end, dim=-1.
over_sentences: dim=-1 -> dim=(-2, -1) || dim=(1, 2) if x.dim() == 3 else -1
    You take one mean for a whole sentence. Each token has its own: dim=-1 alone.
over_everything: dim=-1 -> dim=tuple(range(x.dim()))
    You take one mean for all numbers of x. Each token has its own: dim=-1.
first_token_for_all: x.square().mean(dim=-1, keepdim=True) -> \
        x.reshape(-1, x.shape[-1])[0].square().mean()
    You divide all tokens by the size of the first. Each has its own: dim=-1, keepdim=True.
no_keepdim: , keepdim=True ->
    Your mean has lost the last axis, so its numbers meet the features. keepdim=True leaves an axis
    of size 1.
no_weight: * weight ->
    You leave weight out. After the division each feature is multiplied by its own weight.
one_plus_weight: * weight -> * (1 + weight)
    You multiply by 1 + weight, as Gemma does. In Llama it is the weight itself.
weight_added: * weight -> + weight
    You add weight. It is a factor for each feature; RMSNorm adds nothing.
divided_by_weight: * weight -> / weight || * weight * weight
    You divide by weight, or multiply by it twice. It is a factor for each feature, once.
weight_first: x.square() -> (x * weight).square()
or: x.square() -> (x * weight).square() && .sqrt() * weight -> .sqrt()
    You multiply by weight before you measure, so the norm undoes a part of it.
"""


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


EXERCISE = Exercise(
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
            all_of(
                cases((2, 3, 5), (3, 2, 4, 3), (4, 1, 6)),
                cases((3, 4), (2, 3, 4), spread=1000.0),
                cases((2, 4, 3), dtype=float64),
            ),
        ),
        Property(
            "gradients reach x and weight, through the root too", 1, gradient=cases((2, 3, 4))
        ),
    ),
    mistakes=(
        MISTAKES,
        detached("x", "weight"),
        Mistake("gradient_cut", OTHER_GRADIENT, "x.square() -> x.detach().square()"),
    ),
)
