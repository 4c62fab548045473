"""Lesson 16, exercise 2: the feed-forward network with a gate, as Llama has it."""

import math

from torch import float32, float64
from torch.nn.functional import silu

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.judge.gradient import detached
from course_lib.model.feed_forward import FeedForward


def swiglu(x, gate, up, down):
    hidden = silu(x @ gate.T) * (x @ up.T)  # (..., d_ff)
    return hidden @ down.T


MISTAKES = """
gate_up_exchanged: silu(x @ gate.T) * (x @ up.T) -> (x @ gate.T) * silu(x @ up.T)
    You apply SiLU to x @ up.T. It belongs to x @ gate.T; what comes from up stays linear.
sigmoid: silu -> torch.sigmoid
    Your gate is a sigmoid, that of the GLU of 2016. SwiGLU has SiLU there: z * sigmoid(z).
gelu: silu -> F.gelu || silu(x @ gate.T) -> F.gelu(x @ gate.T, approximate="tanh")
    Your activation is GELU, which looks much like SiLU. That is GEGLU; SwiGLU has z * sigmoid(z).
quick_gelu: silu(x @ gate.T) -> (x @ gate.T) * torch.sigmoid(1.702 * (x @ gate.T))
    You use z * sigmoid(1.702 z), an approximation of GELU. SiLU is z * sigmoid(z).
relu: silu -> torch.relu
    Your activation is ReLU. That is ReGLU; SwiGLU has SiLU there, z * sigmoid(z).
tanh: silu -> torch.tanh || F.softplus
    Your activation is tanh or softplus. SwiGLU has SiLU there, z * sigmoid(z).
softmax: silu(x @ gate.T) -> (x @ gate.T).softmax(dim=-1)
    You take a softmax over the hidden features. Each gate is SiLU of its own number.
no_activation: silu ->
    There is no activation at all. SwiGLU applies SiLU to x @ gate.T first.
activation_twice: silu(x @ gate.T) -> silu(silu(x @ gate.T))
    You apply SiLU twice to x @ gate.T. Once is asked for.
activation_on_both: (x @ up.T) -> silu(x @ up.T)
    You apply SiLU to both branches. Only the gate's has it; what comes from up stays linear.
activation_on_the_product: silu(x @ gate.T) * (x @ up.T) -> silu((x @ gate.T) * (x @ up.T))
or: silu(x @ gate.T) * (x @ up.T) -> silu(silu(x @ gate.T) * (x @ up.T))
    You apply SiLU to the product. It belongs to x @ gate.T alone, before that.
activation_at_the_end: silu -> && hidden @ down.T -> silu(hidden @ down.T)
or: hidden @ down.T -> silu(hidden @ down.T)
    You apply SiLU at the end. It belongs to x @ gate.T.
activation_first: silu(x @ gate.T) -> (silu(x) @ gate.T)
or: silu(x @ gate.T) * (x @ up.T) -> (silu(x) @ gate.T) * (silu(x) @ up.T)
    You apply SiLU to x, before the gate's map. It belongs behind the map: silu(x @ gate.T).
added: ) * ( -> ) + ( || ) - (
    You add the two branches, or subtract one. A gate multiplies: where it is 0, nothing of up
    passes.
no_gate: silu(x @ gate.T) * (x @ up.T) -> silu(x @ up.T)
or: silu(x @ gate.T) * ->
    You leave gate out. SiLU(x @ gate.T) is a factor for each number of x @ up.T.
no_up: * (x @ up.T) ->
    You leave up out. SiLU(x @ gate.T) is a factor for each number of x @ up.T.
gate_for_both: up.T -> gate.T || gate.T -> up.T
    You use one map in both branches. Each has its own: gate with SiLU, and up.
not_down: down.T -> up || gate
    You go down by one of the maps on the way up. The way down has its own: down.
down_on_the_way_up: lambda x, gate, up, down: swiglu(x, gate, down.T, up.T)
or: lambda x, gate, up, down: swiglu(x, down.T, up, gate.T)
or: lambda x, gate, up, down: swiglu(x, gate, down.T, down)
or: lambda x, gate, up, down: swiglu(x, down.T, up, down)
    You use down on the way up. Shapes allow it, since it is as large as the other two transposed.
not_transposed: .T =>
or: gate.T -> gate && up.T -> up || gate.T -> gate || up.T -> up || down.T -> down
or: lambda x, *maps: swiglu(x, *(w.T if len(w) == w.shape[1] else w for w in maps))
    You multiply by a map as it is stored. torch.nn.Linear stores (out_features, in_features): x @
    gate.T, x @ up.T, and @ down.T at the end.
reshaped: gate.T -> gate.reshape(gate.T.shape) && up.T -> up.reshape(up.T.shape) && down.T -> \
                down.reshape(down.T.shape)
    You reshape the maps where they should be transposed. reshape keeps the order of the numbers:
    gate.T.
on_columns: x @ gate.T -> gate @ x && x @ up.T -> up @ x && hidden @ down.T -> down @ hidden
    Your maps stand to the left of x, so each token became a mixture of all. x @ gate.T keeps them
    apart.
hidden_returned: return hidden @ down.T -> return hidden
    You return the hidden features. The last map brings them down to d_model again.
residual_inside: return hidden -> return x + hidden
    You add x to the output. The block does that.
first_token_for_all: hidden = -> shape, x = x.shape, x[..., :1, :]; hidden = && \
                return hidden @ down.T -> return (hidden @ down.T).expand(shape)
or: hidden = -> shape, x = x.shape, x.mean(dim=-2, keepdim=True); hidden = && \
                return hidden @ down.T -> return (hidden @ down.T).expand(shape)
    You give all tokens one answer, of the first or of their mean. Each has its own.
gradient_cut: silu(x @ gate.T) -> (silu(x @ gate.T).detach() + 0 * (x @ gate.T))
    {OTHER_GRADIENT}
"""


def _cases(*sizes, dtype=float32):
    """(leading dimensions and tokens, d_model, d_ff) each."""

    def make(generator):
        for lead, d_model, d_ff in sizes:
            x = randn(generator, *lead, d_model)
            gate, up = (
                1.5 * randn(generator, d_ff, d_model) / math.sqrt(d_model) for _ in range(2)
            )
            down = 1.5 * randn(generator, d_model, d_ff) / math.sqrt(d_ff)
            yield Case(tuple(value.to(dtype) for value in (x, gate, up, down)))

    return make


EXERCISE = Exercise(
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
            all_of(_cases(((3,), 4, 1), ((2,), 2, 21)), _cases(((2,), 3, 6), dtype=float64)),
        ),
        Property("gradients reach x and all three maps", 1, gradient=_cases(((2, 3), 4, 5))),
    ),
    mistakes=(MISTAKES, detached("x", "gate", "up", "down")),
)
