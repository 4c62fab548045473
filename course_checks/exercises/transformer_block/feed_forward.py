"""Lesson 08, exercise 2: the network that works on each token alone."""

import math

from torch import float32, float64
from torch.nn.functional import gelu

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.judge.gradient import detached
from course_lib.model.block import FeedForward


def feed_forward(x, w_up, b_up, w_down, b_down):
    hidden = gelu(x @ w_up.T + b_up)  # (..., d_ff)
    return hidden @ w_down.T + b_down


MISTAKES = """
no_activation: gelu ->
    There is no activation between your two maps. Two linear maps in a row are one.
activation_at_the_end: gelu -> && hidden @ w_down.T + b_down -> gelu(hidden @ w_down.T + b_down)
    Your activation comes at the end. It belongs between the two maps.
activation_twice: hidden @ w_down.T + b_down -> gelu(hidden @ w_down.T + b_down)
    You apply gelu again at the end. What is written into the stream is the linear map itself.
relu: gelu -> torch.relu
    Your activation is relu, as in 2017. Here it is gelu, which is smooth at 0.
silu: gelu -> F.silu || F.leaky_relu
    Your activation is silu or a leaky relu. Here it is gelu.
tanh_approximation: b_up) -> b_up, approximate="tanh")
    You use the approximation of gelu by tanh, as GPT-2 does. Here the exact gelu is asked for: a
    model does not match its copy otherwise.
quick_gelu: gelu(x @ w_up.T + b_up) -> \
                (x @ w_up.T + b_up) * torch.sigmoid(1.702 * (x @ w_up.T + b_up))
    You use x * sigmoid(1.702 x), an approximation of gelu. Here the exact one is asked for.
gelu_of_gelu: gelu(x @ w_up.T + b_up) -> gelu(gelu(x @ w_up.T + b_up))
    You apply gelu twice between the two maps. Once is asked for.
activation_first: gelu(x @ w_up.T + b_up) -> gelu(x) @ w_up.T + b_up
    You apply gelu to x, before the first map. It belongs between the two.
reshaped: w_up.T -> w_up.reshape(w_up.T.shape) && w_down.T -> w_down.reshape(w_down.T.shape)
    You reshape the weights where they should be transposed. reshape keeps the order of the numbers:
    weight.T.
biases_exchanged: + b_up -> + (b_down if len(b_up) == len(b_down) else b_up) && + b_down -> \
                + (b_up if len(b_up) == len(b_down) else b_down)
    Your two biases have changed places: b_up goes with w_up, before gelu.
not_all_hidden: lambda x, up, b_up, down, b_down: feed_forward(x, up[: 4 * x.shape[-1]], b_up[: 4 \
        * x.shape[-1]], down[:, : 4 * x.shape[-1]], b_down)
    You use only 4 * d_model hidden features. d_ff is w_up.shape[0].
maps_exchanged: w_up.T -> w_down && w_down.T -> w_up || w_down.T -> w_up
    You do not use w_up on the way up and w_down on the way down. Shapes allow it, since each is as
    large as the other transposed.
hidden_returned: hidden @ w_down.T + b_down -> hidden
    You return the hidden features. The second map brings them down to d_model again.
first_token_for_all: hidden = -> shape, x = x.shape, x[..., :1, :]; hidden = && return hidden @ \
        w_down.T + b_down -> return (hidden @ w_down.T + b_down).expand(shape)
or: hidden = -> shape, x = x.shape, x.mean(dim=-2, keepdim=True); hidden = && return hidden @ \
        w_down.T + b_down -> return (hidden @ w_down.T + b_down).expand(shape)
    You give all tokens one answer, of the first or of their mean. Each has its own.
no_biases: + b_up -> && + b_down ->
    You add neither b_up nor b_down.
no_b_up: + b_up ->
    You do not add b_up, before the activation.
no_b_down: + b_down ->
    You do not add b_down, after the second map.
bias_after_activation: + b_up) -> ) + b_up
    You add b_up after gelu. Before it, it decides where each hidden feature begins.
not_transposed: .T =>
or: lambda x, up, b_up, down, b_down: feed_forward(x, up.T if len(up) == up.shape[1] else up, \
        b_up, down.T if len(down) == down.shape[1] else down, b_down)
    You multiply by the weights as they are. torch.nn.Linear stores (out_features, in_features): x @
    weight.T.
on_columns: x @ w_up.T -> w_up @ x && hidden @ w_down.T -> w_down @ hidden
    Your weights stand to the left of x, so each token became a mixture of all. x @ weight.T keeps
    them apart.
residual_inside: return hidden -> return x + hidden
    You add x to the output. The block does that.
gradient_cut: hidden @ w_down.T -> (hidden.detach() + 0 * (x @ w_up.T + b_up)) @ w_down.T
    {OTHER_GRADIENT}
"""


def _cases(*sizes, dtype=float32):
    """(leading dimensions and tokens, d_model, d_ff) each."""

    def make(generator):
        for lead, d_model, d_ff in sizes:
            x = randn(generator, *lead, d_model)
            w_up = 1.5 * randn(generator, d_ff, d_model) / math.sqrt(d_model)
            w_down = 1.5 * randn(generator, d_model, d_ff) / math.sqrt(d_ff)
            b_up, b_down = randn(generator, d_ff), randn(generator, d_model)
            yield Case(tuple(p.to(dtype) for p in (x, w_up, b_up, w_down, b_down)))

    return make


EXERCISE = Exercise(
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
            all_of(_cases(((3,), 4, 1), ((2,), 2, 21)), _cases(((2,), 3, 6), dtype=float64)),
        ),
        Property(
            "gradients reach x, both maps and both biases", 1, gradient=_cases(((2, 3), 4, 5))
        ),
    ),
    mistakes=(MISTAKES, detached("x", "w_up", "b_up", "w_down", "b_down")),
)
