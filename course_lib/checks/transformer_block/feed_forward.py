"""Lesson 08, exercise 2: the network that works on each token alone."""

import math

import torch
from torch import float32, float64, sigmoid
from torch.nn.functional import gelu

from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.gradient import OTHER_GRADIENT, detached, gradient_fault
from course_lib.model.block import FeedForward


def feed_forward(x, w_up, b_up, w_down, b_down):
    hidden = gelu(x @ w_up.T + b_up)  # (..., d_ff)
    return hidden @ w_down.T + b_down


MISTAKES = """
no_activation: gelu ->
    There is no activation between your two maps. Two linear maps in a row are one linear map: the
    d_ff features in the middle would be wasted.
activation_at_the_end: gelu -> && hidden @ w_down.T + b_down -> gelu(hidden @ w_down.T + b_down)
    Your activation comes at the end. It belongs between the two maps; the last one is free to write
    anything into the stream, gelu hardly anything below 0.
activation_twice: hidden @ w_down.T + b_down -> gelu(hidden @ w_down.T + b_down)
    You apply gelu again at the end. What is written into the stream is the linear map itself, which
    may be below 0.
relu: gelu -> torch.relu
    Your activation is relu, as in the paper of 2017. Here it is gelu, as in BERT and GPT-2: close
    to relu far from 0, and smooth at 0.
silu: gelu -> F.silu
    Your activation is x * sigmoid(x), which torch calls silu. Here it is gelu.
tanh_approximation: b_up) -> b_up, approximate="tanh")
    You use the approximation of gelu by tanh (approximate="tanh", as GPT-2 does). Here the exact
    gelu is asked for: they differ by less than 0.001 each, and yet a model does not match its copy
    to the last digits.
quick_gelu: gelu -> _in_quick
    You use x * sigmoid(1.702 x), an approximation of gelu. Here the exact one is asked for,
    torch.nn.functional.gelu: they differ by up to 0.02.
leaky_relu: gelu -> F.leaky_relu
    Your activation is a leaky relu. Here it is gelu.
gelu_of_gelu: gelu(x @ w_up.T + b_up) -> gelu(gelu(x @ w_up.T + b_up))
    You apply gelu twice between the two maps. Once is asked for.
activation_first: gelu(x @ w_up.T + b_up) -> gelu(x) @ w_up.T + b_up
    You apply gelu to x, before the first map. It belongs between the two maps, where the hidden
    features are.
reshaped: _reshaped
    You reshape the weights where they should be transposed. reshape reads the numbers in the same
    order and only cuts the rows elsewhere: weight.T.
biases_exchanged: _biases_exchanged
    Your two biases have changed places where they are equally long: b_up goes with w_up, before
    gelu.
not_all_hidden: _four_times
    You use only 4 * d_model hidden features. d_ff is whatever w_up has: w_up.shape[0].
maps_exchanged: w_up.T -> w_down && w_down.T -> w_up
    You use w_down on the way up and w_up on the way down. Shapes allow it, since each is as large
    as the other transposed.
one_map_for_both: w_down.T -> w_up
    You use w_up for the way down as well. Each way has its own map: w_down.
hidden_returned: hidden @ w_down.T + b_down -> hidden
    You return the hidden features, (..., d_ff). The second map brings them down to d_model again.
first_token_for_all: _first_token
    You work on the first token of each sentence and return its answer for all. Each token has its
    own.
mean_of_tokens: _mean_of_tokens
    You take the mean of the tokens first. The FFN works on each token by itself; mixing them is
    attention's business.
"""

MORE_MISTAKES = """
no_biases: + b_up -> && + b_down ->
    You add neither b_up nor b_down.
no_b_up: + b_up ->
    You do not add b_up, before the activation.
no_b_down: + b_down ->
    You do not add b_down, after the second map.
bias_after_activation: + b_up) -> ) + b_up
    You add b_up after gelu. Added before it, it decides where each hidden feature begins;
    afterwards it is just another constant.
not_transposed: .T =>
or: _square_not_transposed
    You multiply by the weights as they are. torch.nn.Linear stores (out_features, in_features): x @
    weight.T. Where all sizes are equal, nothing else tells you.
on_columns: _on_columns
    Your weights stand to the left of x, as in the formula for one column. Your tokens are rows: so
    each token became a mixture of all, which is attention's business. x @ weight.T keeps them
    apart.
residual_inside: return hidden -> return x + hidden
    You add x to the output. The block does that, with its norm in the right place; the FFN returns
    only what is to be added.
"""


def _in_quick(hidden):
    return hidden * sigmoid(1.702 * hidden)


def _reshaped(x, w_up, b_up, w_down, b_down):
    up, down = w_up.reshape(w_up.T.shape), w_down.reshape(w_down.T.shape)
    return gelu(x @ up + b_up) @ down + b_down


def _biases_exchanged(x, w_up, b_up, w_down, b_down):
    if len(b_up) == len(b_down):
        b_up, b_down = b_down, b_up
    return feed_forward(x, w_up, b_up, w_down, b_down)


def _square_not_transposed(x, w_up, b_up, w_down, b_down):
    up, down = (w if w.shape[0] == w.shape[1] else w.T for w in (w_up, w_down))
    return gelu(x @ up + b_up) @ down + b_down


def _four_times(x, w_up, b_up, w_down, b_down):
    d_ff = 4 * x.shape[-1]
    return feed_forward(x, w_up[:d_ff], b_up[:d_ff], w_down[:, :d_ff], b_down)


def _first_token(x, *weights):
    return feed_forward(x[..., :1, :], *weights).expand(x.shape)


def _mean_of_tokens(x, *weights):
    return feed_forward(x.mean(dim=-2, keepdim=True), *weights).expand(x.shape)


def _on_columns(x, w_up, b_up, w_down, b_down):
    return w_down @ gelu(w_up @ x + b_up) + b_down


def _cases(*sizes, dtype=float32):
    """(leading dimensions and tokens, d_model, d_ff) each."""

    def make(generator):
        made = []
        for lead, d_model, d_ff in sizes:
            x = randn(generator, *lead, d_model)
            w_up = 1.5 * randn(generator, d_ff, d_model) / math.sqrt(d_model)
            w_down = 1.5 * randn(generator, d_model, d_ff) / math.sqrt(d_ff)
            b_up, b_down = randn(generator, d_ff), randn(generator, d_model)
            made.append(Case(tuple(p.to(dtype) for p in (x, w_up, b_up, w_down, b_down))))
        return made

    return make


TENSORS = ("x", "w_up", "b_up", "w_down", "b_down")


def _learns(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    return gradient_fault(EXERCISE, function, _cases(((2, 3), 4, 5))(generator))


EXERCISE = Exercise(
    lesson="08",
    number=2,
    reference=feed_forward,
    returns={"output": "(..., d_model)"},
    library=(FeedForward.forward,),
    properties=(
        Property("up to d_ff, through gelu, and down again", 2, _cases(((2,), 3, 5), ((4,), 2, 8))),
        Property(
            "the same holds when all sizes are equal, where shapes cannot tell a mistake",
            1,
            _cases(((3,), 3, 3), ((4,), 4, 4)),
        ),
        Property("leading dimensions stay in front", 1, _cases(((2, 3), 4, 5), ((3, 1, 2), 3, 6))),
        Property(
            "the same holds for one hidden feature, for many, and in float64",
            1,
            lambda generator: (
                _cases(((3,), 4, 1), ((2,), 2, 21))(generator)
                + _cases(((2,), 3, 6), dtype=float64)(generator)
            ),
        ),
        Property("gradients reach x, both maps and both biases", 1, judge=_learns),
    ),
    mistakes=(
        MISTAKES,
        detached(*TENSORS),
        Mistake(
            "gradient_cut",
            OTHER_GRADIENT,
            "hidden @ w_down.T -> (hidden.detach() + 0 * (x @ w_up.T + b_up)) @ w_down.T",
        ),
        MORE_MISTAKES,
    ),
)
