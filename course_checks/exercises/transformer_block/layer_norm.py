"""Lesson 08, exercise 1: LayerNorm from its formula."""

import torch
from torch import float32, float64, full, rand, randint

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.judge.feedback import number
from course_checks.judge.gradient import detached


def layer_norm(x, weight, bias, eps):
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = centred.square().mean(dim=-1, keepdim=True)  # (..., 1)
    return centred / (variance + eps).sqrt() * weight + bias


MISTAKES = """
over_tokens: dim=-1 => dim=-2
    Your mean and variance run over the tokens of a sentence. Each token is normalised by itself,
    over its own features: dim=-1. (Else the last word changes the first, whatever the mask says.)
over_the_first_axis: dim=-1 => dim=0
    Your mean and variance run over the first axis, tokens or sentences. Features are the last:
    dim=-1.
over_axis_1: dim=-1 => dim=1
    Your mean and variance run over axis 1. In a batch these are the tokens: count from the end,
    dim=-1.
over_the_batch: dim=-1 => dim=tuple(range(x.dim() - 1))
    Your mean and variance run over all tokens of the batch. That is BatchNorm. LayerNorm takes each
    token by itself: dim=-1.
over_sentences: dim=-1 => dim=(-2, -1) || dim=(1, 2) if x.dim() == 3 else -1 || \
        dim=tuple(range(x.dim())) || dim=tuple(range(1, x.dim())) || \
        dim=(-2, -1) if x.dim() > 1 else -1
    You take one mean and one variance for several tokens. Each token has its own: dim=-1 alone.
unbiased: centred.square().mean( -> x.var(
evidence: _spread
    Your variance divides by d - 1 (torch's default in var and std). LayerNorm divides by d:
    correction=0.
eps_outside: (variance + eps).sqrt() -> (variance.sqrt() + eps)
evidence: _spread
    You add eps after the root. It belongs inside: (variance + eps).sqrt().
unbiased_and_eps_outside: centred.square().mean( -> x.var( &&         (variance + eps).sqrt() -> \
                (variance.sqrt() + eps)
evidence: _spread
    You divide by std + eps, as a much-read tutorial does. torch's std divides by d - 1, and eps
    belongs inside the root.
no_eps: (variance + eps) -> variance
    You leave eps out. A token whose features are all equal then gives 0/0.
eps_of_its_own: + eps -> + 1e-5
    You use 1e-5 whatever eps is given.
eps_as_least: (variance + eps) -> variance.clamp(min=eps)
    You take eps as the smallest variance there may be. It is added to every one.
eps_squared: + eps -> + eps**2
    You add eps squared. It is eps itself that is added.
root_of_eps_outside: (variance + eps).sqrt() -> (variance.sqrt() + math.sqrt(eps))
evidence: _spread
    You add the root of eps to the root of the variance. First the sum, then one root.
zero_replaced: (variance + eps).sqrt() -> (variance.sqrt() + (variance == 0))
    You leave eps out and treat a spread of 0 by itself. eps is added to every variance.
sum_of_squares: .square().mean -> .square().sum
evidence: _spread
    You divide by the root of the sum of the squares. The variance is their mean.
mean_size: .square() -> .abs() && .sqrt() ->
evidence: _spread
    You divide by the mean size of the features. It is the root of the mean of their squares.
first_token_for_all: x - x.mean(dim=-1, keepdim=True) -> x - x.reshape(-1, x.shape[-1])[0].mean() \
        && centred.square().mean(dim=-1, keepdim=True) -> centred.reshape(-1, \
        x.shape[-1])[0].square().mean()
    You take mean and variance of the first token for all: dim=-1, keepdim=True.
no_root: .sqrt() ->
evidence: _spread
    You divide by the variance. What has the size of a feature is its root.
not_centred: return centred -> return x
    You divide x itself: subtract each token's mean first.
root_mean_square: x - x.mean(dim=-1, keepdim=True) -> x
    You never subtract the mean. That is RMSNorm; LayerNorm subtracts each token's mean first.
squares_not_centred: centred.square -> x.square
    Below the line you take the mean square of x itself. The variance is that of what is left
    without the mean.
moments: centred.square().mean(dim=-1, keepdim=True) -> \
        x.square().mean(dim=-1, keepdim=True) - x.mean(dim=-1, keepdim=True).square()
or: centred.square().mean(dim=-1, keepdim=True) -> \
        (x.square().mean(dim=-1, keepdim=True) - x.mean(dim=-1, keepdim=True).square()).clamp(min=0)
    Your variance is the mean of x squared less the square of the mean. In float32 two large numbers
    that are nearly equal lose their digits: subtract the mean first, then square.
no_affine: * weight + bias ->
    You leave weight and bias out: multiply by weight, then add bias.
no_weight: * weight ->
    You leave weight out: each feature is multiplied by its weight, then bias is added.
one_plus_weight: * weight -> * (1 + weight)
    You multiply by 1 + weight, as some models do. Here it is the weight itself.
weight_bias_exchanged: * weight + bias -> * bias + weight
    weight and bias have changed places: multiply by weight, add bias.
no_bias: + bias ->
    You leave bias out.
bias_first: centred / (variance + eps).sqrt() * weight + bias -> \
        (centred / (variance + eps).sqrt() + bias) * weight
    You add bias and then multiply by weight. First the weight, then the bias.
gradient_cut: centred.square -> centred.detach().square
    {OTHER_GRADIENT}
"""


def _spread(args, expected, got):
    x, weight, bias, _ = args
    normal = (got["normalised"] - bias) / weight
    spread = normal.square().mean(dim=-1).sqrt().reshape(-1)
    right = ((expected["normalised"] - bias) / weight).square().mean(dim=-1).sqrt().reshape(-1)
    token = (spread - right).abs().argmax()
    return (
        f"Here the features of one token (before weight and bias) have the size "
        f"{number(float(spread[token]))} instead of {number(float(right[token]))}."
    )


def _cases(*shapes, spread=1.0, eps=1e-5, plain=False, dtype=float32):
    """Tokens of this spread, each with a mean of its own; ``plain``: weight 1 and bias 0."""

    def make(generator):
        made = []
        for shape in shapes:
            x = spread * (randn(generator, *shape) + randn(generator, *shape[:-1], 1))
            weight = 0.5 + rand(shape[-1], generator=generator)
            bias = randn(generator, shape[-1])
            if plain:
                weight, bias = weight**0, 0 * bias
            made.append(Case((x.to(dtype), weight.to(dtype), bias.to(dtype), eps)))
        return made

    return make


def _small(generator):
    """Where eps counts: tokens that are small or all alike, and an eps that is large."""
    cases = _cases((2, 4), spread=0.003)(generator)
    cases += _cases((3, 5), eps=0.5)(generator)
    _, *others = _cases((2, 4))(generator)[0].args
    return [*cases, Case((full((2, 4), 2.0), *others))]  # of 4 numbers a mean has no rounding


def _large_means(generator):
    """Features that differ by little around 10,000: whole numbers, so that the means are exact."""
    made = []
    for shape in ((4, 4), (2, 4, 8)):
        x = 10_000 + randint(-4, 5, shape, generator=generator).to(float32)
        x[..., 0] += 6  # no token whose features are all equal
        made.append(Case((x, *_cases(shape)(generator)[0].args[1:])))
    return made


EXERCISE = Exercise(
    reference=layer_norm,
    returns={"normalised": "the shape of x"},
    forbidden=tuple(
        (torch, name, "torch's own norm is closed here: write it from the formula")
        for name in ("layer_norm", "native_layer_norm", "batch_norm", "instance_norm", "group_norm")
    ),
    properties=(
        Property(
            "each token's features get mean 0 and variance 1", 2, _cases((3, 4), (4, 4), plain=True)
        ),
        Property("weight and bias then scale and shift each feature", 1, _cases((3, 4), (4, 4))),
        Property("eps keeps small tokens small, and a token of equal features finite", 1, _small),
        Property(
            "the same holds for batches, for large means, and in float64",
            1,
            all_of(
                _cases((2, 3, 5), (3, 2, 4, 3), (4, 1, 6)),
                _large_means,
                _cases((2, 4, 3), dtype=float64),
            ),
        ),
        Property(
            "gradients reach x, weight and bias, through mean and variance too",
            1,
            gradient=_cases((2, 3, 4)),
        ),
    ),
    mistakes=(MISTAKES, detached("x", "weight", "bias")),
)
