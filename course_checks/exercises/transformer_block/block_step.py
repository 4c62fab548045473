"""Lesson 08, exercise 3: a sublayer around the residual stream, in both orders."""

import math

import torch
from torch import float32, float64, rand, tanh
from torch.nn.functional import layer_norm

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.judge.gradient import detached


def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x + sublayer(x))


MISTAKES = """
orders_exchanged: if norm_first -> if not norm_first
    Your two orders have changed places. norm_first=True normalises what the sublayer reads,
    norm_first=False the sum.
always_post: x + sublayer(norm(x)) -> norm(x + sublayer(x))
    You normalise the sum in both orders: norm_first has no effect.
always_pre: norm(x + sublayer(x)) -> x + sublayer(norm(x))
    You normalise what the sublayer reads in both orders: norm_first has no effect.
sum_normalised_in_pre: x + sublayer(norm(x)) -> norm(x + sublayer(norm(x)))
    With norm_first=True you normalise the sum once more. In pre-norm nothing touches the stream.
norm_twice_in_post: sublayer(x) -> sublayer(norm(x))
    With norm_first=False you also normalise what the sublayer reads. In post-norm it reads x as it
    is.
norm_twice: x + sublayer(norm(x)) -> norm(x + sublayer(norm(x))) && sublayer(x) -> sublayer(norm(x))
    In both orders you normalise twice. Each has one: what the sublayer reads, or the sum.
stream_normalised_in_pre: x + sublayer(norm(x)) -> norm(x) + sublayer(norm(x))
    With norm_first=True you add to norm(x) instead of x. The stream goes on as it was.
update_normalised_in_pre: sublayer(norm(x)) -> norm(sublayer(x))
    With norm_first=True you normalise what the sublayer says: x + norm(sublayer(x)). Pre-norm
    normalises what it reads.
norm_before_and_after_in_pre: sublayer(norm(x)) -> norm(sublayer(norm(x)))
    With norm_first=True you normalise what the sublayer reads and also what it says. Only the first
    belongs to pre-norm.
no_norm_in_pre: norm(x)) -> x)
    With norm_first=True there is no norm at all: the sublayer should read norm(x).
no_residual: x + sublayer => sublayer
    You return what the sublayer says without adding x, and the token's own vector is lost.
no_residual_in_pre: x + sublayer(norm(x)) -> sublayer(norm(x))
    With norm_first=True you do not add x to what the sublayer says.
no_residual_in_post: x + sublayer(x) -> sublayer(x)
    With norm_first=False you normalise what the sublayer says without adding x first.
update_normalised_in_post: norm(x + sublayer(x)) -> x + norm(sublayer(x))
    With norm_first=False you normalise what the sublayer says. Post-norm normalises the sum.
stream_normalised_in_post: norm(x + sublayer(x)) -> norm(x) + sublayer(x)
or: norm(x + sublayer(x)) -> norm(x) + norm(sublayer(x))
    With norm_first=False you normalise x before you add. Post-norm normalises the sum.
no_norm_in_post: norm(x + sublayer(x)) -> x + sublayer(x)
    With norm_first=False there is no norm at all: the sum should be normalised.
x_taken_off: x + sublayer(norm(x)) -> sublayer(norm(x)) && \
        norm(x + sublayer(x)) -> norm(x + sublayer(x)) - x
    You return the new stream without x, in both orders. Return the whole stream.
subtracted: x + => x -
    You subtract what the sublayer says. It is added to the stream.
halved: x + sublayer(norm(x)) -> (x + sublayer(norm(x))) / 2 && \
        x + sublayer(x) -> (x + sublayer(x)) / 2
    You take the mean of x and of what the sublayer says. The stream receives the sum.
added_twice: x + => x + 2 * || 2 * x +
    Your sum holds one of the two twice. It is x and what the sublayer says, once each.
scaled_down: sublayer(norm(x)) -> sublayer(norm(x)) / math.sqrt(2) && \
        sublayer(x) -> sublayer(x) / math.sqrt(2)
    You divide what the sublayer says by the square root of 2. It is added as it is.
sublayer_twice: norm(x)) -> sublayer(norm(x))) && sublayer(x) -> sublayer(sublayer(x))
    You call the sublayer on its own answer. It is called once.
token_by_token: sublayer( => _each(sublayer,
    You give the sublayer one token at a time, and attention has nothing else to read. Hand it the
    whole stream.
norm_of_its_own: norm(x)) -> F.layer_norm(x, x.shape[-1:])) && \
        norm(x + sublayer(x)) -> F.layer_norm(x + sublayer(x), x.shape[-1:])
    You use a norm of your own. The one that is given has its weight and its bias, and may be of
    another kind: call norm.
gradient_cut: x + sublayer(norm(x)) -> x + sublayer(norm(x)).detach() && \
        x + sublayer(x) -> x + sublayer(x).detach()
    {OTHER_GRADIENT}
"""


def _each(sublayer, x):
    tokens = [sublayer(x[..., t : t + 1, :]) for t in range(x.shape[-2])]
    return torch.cat(tokens, dim=-2)


def _sublayer(generator, d_model, dtype):
    """Mixes features and tokens, as a block does."""
    weight = (1.5 * randn(generator, d_model, d_model) / math.sqrt(d_model)).to(dtype)
    return lambda x: tanh(x @ weight) + 0.5 * x.mean(dim=-2, keepdim=True)


def _norm(generator, d_model, dtype):
    """A LayerNorm with a weight and a bias, so that twice is not the same as once."""
    weight = (0.5 + rand(d_model, generator=generator)).to(dtype)
    bias = (0.5 * randn(generator, d_model)).to(dtype)
    return lambda x: layer_norm(x, (d_model,), weight, bias)


def _rms_norm(generator, d_model, dtype):
    """A norm that leaves the mean in: a constant that is added shows behind it."""
    weight = (0.5 + rand(d_model, generator=generator)).to(dtype)
    return lambda x: x / (x.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt() * weight


def _cases(*norms_first, shapes, dtype=float32, norm=_norm):
    def make(generator):
        for shape in shapes:
            for norm_first in norms_first:
                x = (2 * randn(generator, *shape)).to(dtype)
                parts = (maker(generator, shape[-1], dtype) for maker in (_sublayer, norm))
                label = f"x of shape {shape}, norm_first={norm_first}"
                yield Case((x, *parts, norm_first), None, label)

    return make


EXERCISE = Exercise(
    reference=block_step,
    returns={"stream": "the shape of x"},
    properties=(
        Property(
            "post-norm: the norm comes after the sum", 2, _cases(False, shapes=[(2, 4), (3, 3)])
        ),
        Property(
            "pre-norm: the sublayer reads the normalised stream, and the sum stays as it is",
            2,
            _cases(True, shapes=[(2, 4), (3, 3)]),
        ),
        Property(
            "the same holds for batches, for another norm, and in float64",
            1,
            all_of(
                _cases(False, True, shapes=[(2, 3, 5)]),
                _cases(False, True, shapes=[(3, 4)], norm=_rms_norm),
                _cases(True, False, shapes=[(3, 2, 4)], dtype=float64),
            ),
        ),
        Property(
            "gradients pass by the sublayer and through it, in both orders",
            1,
            gradient=_cases(False, True, shapes=[(2, 3, 4)]),
        ),
    ),
    mistakes=(MISTAKES, detached("x")),
)
