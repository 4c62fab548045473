"""Lesson 16, exercise 2: the feed-forward network with a gate, as Llama has it."""

import math

import torch
from torch import float32, float64
from torch.nn.functional import silu

from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.gradient import OTHER_GRADIENT, detached, gradient_fault
from course_lib.model.feed_forward import FeedForward


def swiglu(x, gate, up, down):
    hidden = silu(x @ gate.T) * (x @ up.T)  # (..., d_ff)
    return hidden @ down.T


MISTAKES = """
gate_up_exchanged: silu(x @ gate.T) * (x @ up.T) -> (x @ gate.T) * silu(x @ up.T)
    gate and up have changed places: you apply SiLU to x @ up.T. It belongs to x @ gate.T; what
    comes from up stays linear. Shapes cannot tell the two apart.
sigmoid: silu -> torch.sigmoid
    Your gate is a sigmoid. That is the GLU of 2016, whose gates lie between 0 and 1. SwiGLU has
    SiLU there: SiLU(z) = z * sigmoid(z).
gelu: silu -> F.gelu
or: silu(x @ gate.T) -> F.gelu(x @ gate.T, approximate="tanh")
    Your activation is GELU. That is GEGLU; SwiGLU has SiLU there, z * sigmoid(z), which looks much
    like it.
quick_gelu: silu(x @ gate.T) -> (x @ gate.T) * torch.sigmoid(1.702 * (x @ gate.T))
    You use z * sigmoid(1.702 z), an approximation of GELU. SiLU has no such factor: z * sigmoid(z).
relu: silu -> torch.relu
    Your activation is ReLU. That is ReGLU; SwiGLU has SiLU there, z * sigmoid(z).
tanh: silu -> torch.tanh
    Your activation is tanh. SwiGLU has SiLU there, z * sigmoid(z).
softplus: silu -> F.softplus
    Your activation is softplus, log(1 + exp(z)). SwiGLU has SiLU there, z * sigmoid(z).
softmax: silu(x @ gate.T) -> (x @ gate.T).softmax(dim=-1)
    You take a softmax over the hidden features. The gates do not compete: each is SiLU of its own
    number, z * sigmoid(z).
no_activation: silu ->
    There is no activation at all. The product of the two branches is then bilinear; SwiGLU applies
    SiLU to x @ gate.T first.
activation_twice: silu(x @ gate.T) -> silu(silu(x @ gate.T))
    You apply SiLU twice to x @ gate.T. Once is asked for.
activation_on_both: (x @ up.T) -> silu(x @ up.T)
    You apply SiLU to both branches. Only the gate's has it; what comes from up stays linear.
activation_on_the_product: silu(x @ gate.T) * (x @ up.T) -> silu((x @ gate.T) * (x @ up.T))
    You multiply the two branches and then apply SiLU. It belongs to x @ gate.T alone, before the
    product.
activation_on_product_too: silu(x @ gate.T) * (x @ up.T) -> silu(silu(x @ gate.T) * (x @ up.T))
    You apply SiLU to the gate, and again to the product. Once is asked for: on x @ gate.T.
activation_at_the_end: silu -> && hidden @ down.T -> silu(hidden @ down.T)
or: hidden @ down.T -> silu(hidden @ down.T)
    You apply SiLU at the end. It belongs to x @ gate.T; the last map is free to write anything into
    the stream, SiLU hardly anything below 0.
activation_first: silu(x @ gate.T) -> (silu(x) @ gate.T)
or: silu(x @ gate.T) * (x @ up.T) -> (silu(x) @ gate.T) * (silu(x) @ up.T)
    You apply SiLU to x, before the gate's map. It belongs behind the map: silu(x @ gate.T).
added: ) * ( -> ) + (
    You add the two branches. A gate multiplies: where it is 0, nothing of up passes.
subtracted: ) * ( -> ) - (
    You subtract one branch from the other. A gate multiplies: where it is 0, nothing of up passes.
no_gate: silu(x @ gate.T) * (x @ up.T) -> silu(x @ up.T)
or: silu(x @ gate.T) * ->
    You leave gate out: SiLU(x @ up.T) and down again is a network with two maps, as in 2017. Here
    SiLU(x @ gate.T) is a factor for each number of x @ up.T.
no_up: * (x @ up.T) ->
    You leave up out: SiLU(x @ gate.T) goes down alone. It is a factor for each number of x @ up.T.
gate_for_both: up.T -> gate.T
    You use gate in both branches. The other has a map of its own: x @ up.T.
up_for_both: gate.T -> up.T
    You use up in both branches. The one with SiLU has a map of its own: x @ gate.T.
not_down: down.T -> up
or: down.T -> gate
    You go down by one of the maps on the way up. The way down has its own: down.
down_on_the_way_up: lambda x, gate, up, down: swiglu(x, gate, down.T, up.T)
or: lambda x, gate, up, down: swiglu(x, down.T, up, gate.T)
or: lambda x, gate, up, down: swiglu(x, gate, down.T, down)
or: lambda x, gate, up, down: swiglu(x, down.T, up, down)
    You use down on the way up. Shapes allow it, since it is as large as the other two transposed.
not_transposed: .T =>
or: gate.T -> gate && up.T -> up
or: gate.T -> gate
or: up.T -> up
or: down.T -> down
or: _square_as_stored
    You multiply by a map as it is stored. torch.nn.Linear stores (out_features, in_features): x @
    gate.T, x @ up.T, and @ down.T at the end. Where all sizes are equal, nothing else tells you.
reshaped: _reshaped
    You reshape the maps where they should be transposed. reshape reads the numbers in the same
    order and only cuts the rows elsewhere: gate.T.
on_columns: _on_columns
    Your maps stand to the left of x, as in the formula for one column. Your tokens are rows: so
    each token became a mixture of all. x @ gate.T keeps them apart.
hidden_returned: return hidden @ down.T -> return hidden
    You return the hidden features, (..., d_ff). The last map brings them down to d_model again.
residual_inside: return hidden -> return x + hidden
    You add x to the output. The block does that; the network returns only what is to be added.
first_token_for_all: _first_token
    You work on the first token of each sentence and return its answer for all. Each token has its
    own.
mean_of_tokens: _mean_of_tokens
    You take the mean of the tokens first. The network works on each token by itself; mixing them is
    attention's business.
"""


# --- wrong versions -----------------------------------------------------------------------------


def _reshaped(x, gate, up, down):
    gate, up, down = (w.reshape(w.T.shape) for w in (gate, up, down))
    return (silu(x @ gate) * (x @ up)) @ down


def _on_columns(x, gate, up, down):
    return down @ (silu(gate @ x) * (up @ x))


def _first_token(x, *maps):
    return swiglu(x[..., :1, :], *maps).expand(x.shape)


def _mean_of_tokens(x, *maps):
    return swiglu(x.mean(dim=-2, keepdim=True), *maps).expand(x.shape)


# --- what they are run on -----------------------------------------------------------------------


def _cases(*sizes, dtype=float32):
    """(leading dimensions and tokens, d_model, d_ff) each."""

    def make(generator):
        made = []
        for lead, d_model, d_ff in sizes:
            x = randn(generator, *lead, d_model)
            gate, up = (
                1.5 * randn(generator, d_ff, d_model) / math.sqrt(d_model) for _ in range(2)
            )
            down = 1.5 * randn(generator, d_model, d_ff) / math.sqrt(d_ff)
            made.append(Case(tuple(value.to(dtype) for value in (x, gate, up, down))))
        return made

    return make


TENSORS = ("x", "gate", "up", "down")


def _learns(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    return gradient_fault(EXERCISE, function, _cases(((2, 3), 4, 5))(generator))


def _square_as_stored(x, gate, up, down):
    """Does not transpose where shapes do not object."""
    return swiglu(x, *(w.T if w.shape[0] == w.shape[1] else w for w in (gate, up, down)))


EXERCISE = Exercise(
    lesson="16",
    number=2,
    reference=swiglu,
    returns={"output": "(..., d_model)"},
    library=(FeedForward.forward,),
    properties=(
        Property(
            "SiLU of the gate times up, and down again", 2, _cases(((2,), 3, 5), ((4,), 2, 8))
        ),
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
        Property("gradients reach x and all three maps", 1, judge=_learns),
    ),
    mistakes=(
        MISTAKES,
        detached(*TENSORS),
        Mistake(
            "gradient_cut",
            OTHER_GRADIENT,
            "silu(x @ gate.T) -> (silu(x @ gate.T).detach() + 0 * (x @ gate.T))",
        ),
    ),
)
