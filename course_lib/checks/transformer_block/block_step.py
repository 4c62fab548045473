"""Lesson 08, exercise 3: a sublayer around the residual stream, in both orders."""

import math

import torch
from torch import float32, float64, rand, tanh
from torch.nn.functional import layer_norm

from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.gradient import OTHER_GRADIENT, cut_off, gradient_fault


def block_step(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x + sublayer(x))


def _block_step_with(
    pre=lambda x, f, n: x + f(n(x)),
    post=lambda x, f, n: n(x + f(x)),
):
    """A version with another formula for pre-norm, for post-norm, or for both."""

    def version(x, sublayer, norm, norm_first):
        return (pre if norm_first else post)(x, sublayer, norm)

    return version


def _each(sublayer, x):
    tokens = [sublayer(x[..., t : t + 1, :]) for t in range(x.shape[-2])]
    return torch.cat(tokens, dim=-2)


# --- sublayers and norms ------------------------------------------------------------------------


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
        made = []
        for shape in shapes:
            for norm_first in norms_first:
                x = (2 * randn(generator, *shape)).to(dtype)
                parts = (maker(generator, shape[-1], dtype) for maker in (_sublayer, norm))
                label = f"x of shape {shape}, norm_first={norm_first}"
                made.append(Case((x, *parts, norm_first), None, label))
        return made

    return make


def _learns(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    cases = _cases(False, True, shapes=[(2, 3, 4)])(generator)
    return gradient_fault(EXERCISE, function, cases)


EXERCISE = Exercise(
    lesson="08",
    number=3,
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
            lambda generator: (
                _cases(False, True, shapes=[(2, 3, 5)])(generator)
                + _cases(False, True, shapes=[(3, 4)], norm=_rms_norm)(generator)
                + _cases(True, False, shapes=[(3, 2, 4)], dtype=float64)(generator)
            ),
        ),
        Property("gradients pass by the sublayer and through it, in both orders", 1, judge=_learns),
    ),
    mistakes=(
        Mistake(
            "orders_exchanged",
            "Your two orders have changed places. norm_first=True normalises what the sublayer "
            "reads (pre-norm); norm_first=False normalises the sum (post-norm).",
            _block_step_with(lambda x, f, n: n(x + f(x)), lambda x, f, n: x + f(n(x))),
        ),
        Mistake(
            "always_post",
            "You normalise the sum in both orders: norm_first has no effect.",
            _block_step_with(pre=lambda x, f, n: n(x + f(x))),
        ),
        Mistake(
            "always_pre",
            "You normalise what the sublayer reads in both orders: norm_first has no effect.",
            _block_step_with(post=lambda x, f, n: x + f(n(x))),
        ),
        Mistake(
            "sum_normalised_in_pre",
            "With norm_first=True you normalise what the sublayer reads, and then the sum once "
            "more. In pre-norm nothing touches the stream: x plus what the sublayer says.",
            _block_step_with(pre=lambda x, f, n: n(x + f(n(x)))),
        ),
        Mistake(
            "norm_twice_in_post",
            "With norm_first=False you also normalise what the sublayer reads. In post-norm it "
            "reads x as it is; the norm comes once, after the sum.",
            _block_step_with(post=lambda x, f, n: n(x + f(n(x)))),
        ),
        Mistake(
            "norm_twice",
            "In both orders you normalise twice: what the sublayer reads, and the sum. Each order "
            "has one of the two.",
            _block_step_with(lambda x, f, n: n(x + f(n(x))), lambda x, f, n: n(x + f(n(x)))),
        ),
        Mistake(
            "stream_normalised_in_pre",
            "With norm_first=True you add to norm(x) instead of x (x = norm(x) on the way does "
            "that). The sublayer reads the norm; the stream goes on as it was.",
            _block_step_with(pre=lambda x, f, n: n(x) + f(n(x))),
        ),
        Mistake(
            "update_normalised_in_pre",
            "With norm_first=True you normalise what the sublayer says: x + norm(sublayer(x)). "
            "Pre-norm normalises what it reads.",
            _block_step_with(pre=lambda x, f, n: x + n(f(x))),
        ),
        Mistake(
            "norm_before_and_after_in_pre",
            "With norm_first=True you normalise what the sublayer reads and also what it says. "
            "Only the first belongs to pre-norm.",
            _block_step_with(pre=lambda x, f, n: x + n(f(n(x)))),
        ),
        Mistake(
            "no_norm_in_pre",
            "With norm_first=True there is no norm at all: the sublayer should read norm(x).",
            _block_step_with(pre=lambda x, f, n: x + f(x)),
        ),
        Mistake(
            "no_residual",
            "You return what the sublayer says without adding x. Then the token's own vector is "
            "lost, and what attention returns is a mixture of others.",
            _block_step_with(lambda x, f, n: f(n(x)), lambda x, f, n: n(f(x))),
        ),
        Mistake(
            "no_residual_in_pre",
            "With norm_first=True you do not add x to what the sublayer says.",
            _block_step_with(pre=lambda x, f, n: f(n(x))),
        ),
        Mistake(
            "no_residual_in_post",
            "With norm_first=False you normalise what the sublayer says without adding x first.",
            _block_step_with(post=lambda x, f, n: n(f(x))),
        ),
        Mistake(
            "update_normalised_in_post",
            "With norm_first=False you normalise what the sublayer says and then add x. Post-norm "
            "normalises the sum.",
            _block_step_with(post=lambda x, f, n: x + n(f(x))),
        ),
        Mistake(
            "stream_normalised_in_post",
            "With norm_first=False you normalise x and add what the sublayer says. Post-norm "
            "normalises the sum of both.",
            _block_step_with(post=lambda x, f, n: n(x) + f(x)),
        ),
        Mistake(
            "both_normalised_in_post",
            "With norm_first=False you normalise x and what the sublayer says, each by itself, and "
            "add them. Post-norm normalises the sum of both.",
            _block_step_with(post=lambda x, f, n: n(x) + n(f(x))),
        ),
        Mistake(
            "no_norm_in_post",
            "With norm_first=False there is no norm at all: the sum should be normalised.",
            _block_step_with(post=lambda x, f, n: x + f(x)),
        ),
        Mistake(
            "x_taken_off",
            "You return the new stream without x, in both orders. What is asked for is the whole "
            "stream, x included.",
            _block_step_with(lambda x, f, n: f(n(x)), lambda x, f, n: n(x + f(x)) - x),
        ),
        Mistake(
            "subtracted",
            "You subtract what the sublayer says. It is added to the stream.",
            _block_step_with(lambda x, f, n: x - f(n(x)), lambda x, f, n: n(x - f(x))),
        ),
        Mistake(
            "halved",
            "You take the mean of x and of what the sublayer says. The stream receives the sum.",
            _block_step_with(lambda x, f, n: (x + f(n(x))) / 2, lambda x, f, n: n((x + f(x)) / 2)),
        ),
        Mistake(
            "added_twice",
            "You add what the sublayer says twice. Once is asked for.",
            _block_step_with(lambda x, f, n: x + 2 * f(n(x)), lambda x, f, n: n(x + 2 * f(x))),
        ),
        Mistake(
            "x_twice",
            "Your sum holds x twice. It is x and what the sublayer says, once each.",
            _block_step_with(lambda x, f, n: 2 * x + f(n(x)), lambda x, f, n: n(2 * x + f(x))),
        ),
        Mistake(
            "scaled_down",
            "You divide what the sublayer says by the square root of 2. It is added as it is.",
            _block_step_with(
                lambda x, f, n: x + f(n(x)) / math.sqrt(2),
                lambda x, f, n: n(x + f(x) / math.sqrt(2)),
            ),
        ),
        Mistake(
            "sublayer_twice",
            "You call the sublayer on its own answer. It is called once.",
            _block_step_with(lambda x, f, n: x + f(f(n(x))), lambda x, f, n: n(x + f(f(x)))),
        ),
        Mistake(
            "token_by_token",
            "You give the sublayer one token at a time. Attention then has nothing but that token "
            "to read: hand it the whole stream.",
            _block_step_with(
                lambda x, f, n: x + _each(f, n(x)), lambda x, f, n: n(x + _each(f, x))
            ),
        ),
        Mistake(
            "norm_of_its_own",
            "You use a norm of your own in the place of the one that is given. That one has its "
            "weight and its bias, and may be of another kind: call norm.",
            _block_step_with(
                lambda x, f, n: x + f(layer_norm(x, x.shape[-1:])),
                lambda x, f, n: layer_norm(x + f(x), x.shape[-1:]),
            ),
        ),
        Mistake("cut_off", cut_off("x"), lambda *inputs: block_step(*inputs).detach()),
        Mistake(
            "gradient_cut",
            OTHER_GRADIENT,
            _block_step_with(
                lambda x, f, n: x + f(n(x)).detach(), lambda x, f, n: n(x + f(x).detach())
            ),
        ),
    ),
)
