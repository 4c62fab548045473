"""Lesson 16, exercise 2: the feed-forward network with a gate, as Llama has it."""

import math

import torch
from torch import float32, float64, sigmoid, tanh
from torch.nn.functional import gelu, relu, silu, softplus

from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.gradient import OTHER_GRADIENT, cut_off, gradient_fault
from course_lib.model.feed_forward import FeedForward


def swiglu(x, gate, up, down):
    hidden = silu(x @ gate.T) * (x @ up.T)  # (..., d_ff)
    return hidden @ down.T


# --- wrong versions -----------------------------------------------------------------------------


def _same(y):
    return y


def _swiglu_with(
    activation=silu,
    of_up=_same,
    combine=torch.mul,
    of_hidden=_same,
    last=_same,
):
    """A version with other activations, or with the two branches combined in another way."""

    def version(x, gate, up, down):
        hidden = combine(activation(x @ gate.T), of_up(x @ up.T))
        return last(of_hidden(hidden) @ down.T)

    return version


def _as_stored(*which, only_square=False):
    """Does not transpose some of the maps, everywhere or only where shapes do not object."""

    def version(x, *maps):
        turned = [
            w.T if name in which and (w.shape[0] == w.shape[1] or not only_square) else w
            for name, w in zip(("gate", "up", "down"), maps, strict=True)
        ]
        return swiglu(x, *turned)

    return version


def _reshaped(x, gate, up, down):
    gate, up, down = (w.reshape(w.T.shape) for w in (gate, up, down))
    return (silu(x @ gate) * (x @ up)) @ down


def _on_columns(x, gate, up, down):
    return down @ (silu(gate @ x) * (up @ x))


def _first_token(x, *maps):
    return swiglu(x[..., :1, :], *maps).expand(x.shape)


def _mean_of_tokens(x, *maps):
    return swiglu(x.mean(dim=-2, keepdim=True), *maps).expand(x.shape)


def _gate_detached(x, gate, up, down):
    opened = silu(x @ gate.T)
    return ((opened.detach() + 0 * opened) * (x @ up.T)) @ down.T


def _activation_first(x, gate, up, down):
    return ((silu(x) @ gate.T) * (x @ up.T)) @ down.T


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


EXERCISE = Exercise(
    lesson="16",
    number=2,
    reference=swiglu,
    returns={"output": "(..., d_model)"},
    library=(FeedForward.forward,),
    properties=(
        Property(
            "SiLU of the gate times up, and down again",
            2,
            _cases(((2,), 3, 5), ((4,), 2, 8)),
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
        Mistake(
            "gate_up_exchanged",
            "gate and up have changed places: you apply SiLU to x @ up.T. It belongs to "
            "x @ gate.T; what comes from up stays linear. Shapes cannot tell the two apart.",
            _swiglu_with(activation=_same, of_up=silu),
        ),
        Mistake(
            "sigmoid",
            "Your gate is a sigmoid. That is the GLU of 2016, whose gates lie between 0 and 1. "
            "SwiGLU has SiLU there: SiLU(z) = z * sigmoid(z).",
            _swiglu_with(activation=sigmoid),
        ),
        Mistake(
            "gelu",
            "Your activation is GELU. That is GEGLU; SwiGLU has SiLU there, z * sigmoid(z), which "
            "looks much like it.",
            _swiglu_with(activation=gelu),
            also=(_swiglu_with(activation=lambda z: gelu(z, approximate="tanh")),),
        ),
        Mistake(
            "quick_gelu",
            "You use z * sigmoid(1.702 z), an approximation of GELU. SiLU has no such factor: "
            "z * sigmoid(z).",
            _swiglu_with(activation=lambda z: z * sigmoid(1.702 * z)),
        ),
        Mistake(
            "relu",
            "Your activation is ReLU. That is ReGLU; SwiGLU has SiLU there, z * sigmoid(z).",
            _swiglu_with(activation=relu),
        ),
        Mistake(
            "tanh",
            "Your activation is tanh. SwiGLU has SiLU there, z * sigmoid(z).",
            _swiglu_with(activation=tanh),
        ),
        Mistake(
            "softplus",
            "Your activation is softplus, log(1 + exp(z)). SwiGLU has SiLU there, z * sigmoid(z).",
            _swiglu_with(activation=softplus),
        ),
        Mistake(
            "softmax",
            "You take a softmax over the hidden features. The gates do not compete: each is "
            "SiLU of its own number, z * sigmoid(z).",
            _swiglu_with(activation=lambda z: z.softmax(dim=-1)),
        ),
        Mistake(
            "no_activation",
            "There is no activation at all. The product of the two branches is then bilinear; "
            "SwiGLU applies SiLU to x @ gate.T first.",
            _swiglu_with(activation=_same),
        ),
        Mistake(
            "activation_twice",
            "You apply SiLU twice to x @ gate.T. Once is asked for.",
            _swiglu_with(activation=lambda z: silu(silu(z))),
        ),
        Mistake(
            "activation_on_both",
            "You apply SiLU to both branches. Only the gate's has it; what comes from up stays "
            "linear.",
            _swiglu_with(of_up=silu),
        ),
        Mistake(
            "activation_on_the_product",
            "You multiply the two branches and then apply SiLU. It belongs to x @ gate.T alone, "
            "before the product.",
            _swiglu_with(activation=_same, of_hidden=silu),
        ),
        Mistake(
            "activation_on_product_too",
            "You apply SiLU to the gate, and again to the product. Once is asked for: on "
            "x @ gate.T.",
            _swiglu_with(of_hidden=silu),
        ),
        Mistake(
            "activation_at_the_end",
            "You apply SiLU at the end. It belongs to x @ gate.T; the last map is free to write "
            "anything into the stream, SiLU hardly anything below 0.",
            _swiglu_with(activation=_same, last=silu),
            also=(_swiglu_with(last=silu),),
        ),
        Mistake(
            "activation_first",
            "You apply SiLU to x, before the gate's map. It belongs behind the map: "
            "silu(x @ gate.T).",
            _activation_first,
            also=(lambda x, *maps: _swiglu_with(activation=_same)(silu(x), *maps),),
        ),
        Mistake(
            "added",
            "You add the two branches. A gate multiplies: where it is 0, nothing of up passes.",
            _swiglu_with(combine=torch.add),
        ),
        Mistake(
            "subtracted",
            "You subtract one branch from the other. A gate multiplies: where it is 0, "
            "nothing of up passes.",
            _swiglu_with(combine=torch.sub),
        ),
        Mistake(
            "no_gate",
            "You leave gate out: SiLU(x @ up.T) and down again is a network with two maps, as in "
            "2017. Here SiLU(x @ gate.T) is a factor for each number of x @ up.T.",
            _swiglu_with(activation=torch.ones_like, of_up=silu),
            also=(_swiglu_with(activation=torch.ones_like),),
        ),
        Mistake(
            "no_up",
            "You leave up out: SiLU(x @ gate.T) goes down alone. It is a factor for each number "
            "of x @ up.T.",
            _swiglu_with(of_up=torch.ones_like),
        ),
        Mistake(
            "gate_for_both",
            "You use gate in both branches. The other has a map of its own: x @ up.T.",
            lambda x, gate, up, down: swiglu(x, gate, gate, down),
        ),
        Mistake(
            "up_for_both",
            "You use up in both branches. The one with SiLU has a map of its own: x @ gate.T.",
            lambda x, gate, up, down: swiglu(x, up, up, down),
        ),
        Mistake(
            "not_down",
            "You go down by one of the maps on the way up. The way down has its own: down.",
            lambda x, gate, up, down: swiglu(x, gate, up, up.T),
            also=(lambda x, gate, up, down: swiglu(x, gate, up, gate.T),),
        ),
        Mistake(
            "down_on_the_way_up",
            "You use down on the way up. Shapes allow it, since it is as large as the other two "
            "transposed.",
            lambda x, gate, up, down: swiglu(x, gate, down.T, up.T),
            also=(
                lambda x, gate, up, down: swiglu(x, down.T, up, gate.T),
                lambda x, gate, up, down: swiglu(x, gate, down.T, down),
                lambda x, gate, up, down: swiglu(x, down.T, up, down),
            ),
        ),
        Mistake(
            "not_transposed",
            "You multiply by a map as it is stored. torch.nn.Linear stores (out_features, "
            "in_features): x @ gate.T, x @ up.T, and @ down.T at the end. Where all sizes are "
            "equal, nothing else tells you.",
            _as_stored("gate", "up", "down"),
            also=(
                _as_stored("gate", "up"),
                _as_stored("gate"),
                _as_stored("up"),
                _as_stored("down"),
                _as_stored("gate", "up", "down", only_square=True),
            ),
        ),
        Mistake(
            "reshaped",
            "You reshape the maps where they should be transposed. reshape reads the numbers in "
            "the same order and only cuts the rows elsewhere: gate.T.",
            _reshaped,
        ),
        Mistake(
            "on_columns",
            "Your maps stand to the left of x, as in the formula for one column. Your tokens are "
            "rows: so each token became a mixture of all. x @ gate.T keeps them apart.",
            _on_columns,
        ),
        Mistake(
            "hidden_returned",
            "You return the hidden features, (..., d_ff). The last map brings them down to d_model "
            "again.",
            lambda x, gate, up, down: silu(x @ gate.T) * (x @ up.T),
        ),
        Mistake(
            "residual_inside",
            "You add x to the output. The block does that; the network returns only what is to be "
            "added.",
            lambda x, *maps: x + swiglu(x, *maps),
        ),
        Mistake(
            "first_token_for_all",
            "You work on the first token of each sentence and return its answer for all. Each "
            "token has its own.",
            _first_token,
        ),
        Mistake(
            "mean_of_tokens",
            "You take the mean of the tokens first. The network works on each token by itself; "
            "mixing them is attention's business.",
            _mean_of_tokens,
        ),
        Mistake("cut_off", cut_off(*TENSORS), lambda *inputs: swiglu(*inputs).detach()),
        Mistake("gradient_cut", OTHER_GRADIENT, _gate_detached),
    ),
)
