"""Lesson 15, exercise 3: a feed-forward network on several devices; where the sum belongs."""

import torch
from torch import relu

from course_checks.exercise import Case, Exercise, Property, randn
from course_checks.tensor_watch import TensorWatch, watched
from course_lib.model.feed_forward import FeedForward


def feed_forward_parts(x, w_up, b_up, w_down, b_down, num_devices):
    width = len(w_up) // num_devices
    parts = []
    for rank in range(num_devices):
        own = slice(rank * width, (rank + 1) * width)
        hidden = relu(x @ w_up[own].T + b_up[own])
        parts.append(hidden @ w_down[:, own].T)
    return torch.stack(parts), sum(parts) + b_down


MISTAKES = """
bias_on_each: [:, own].T) -> [:, own].T + b_down) && sum(parts) + b_down -> sum(parts)
or: sum(parts) + b_down -> sum(parts) + num_devices * b_down
    Every device adds b_down, so the sum has it num_devices times. Add it once, after the sum.
bias_on_each_and_once: [:, own].T) -> [:, own].T + b_down)
    Your parts have b_down in them, and you add it once more after the sum. Leave it out of them.
bias_on_the_first: [:, own].T) -> [:, own].T + b_down * (rank == 0)) && sum(parts) + b_down -> \
        sum(parts)
or: [:, own].T) -> [:, own].T + b_down / num_devices) && sum(parts) + b_down -> \
        sum(parts)
    Your parts have b_down in them. The sum is right so, but they were to be without it.
bias_forgotten: sum(parts) + b_down -> sum(parts)
    You never add b_down.
mean: sum(parts) + b_down -> sum(parts) / num_devices + b_down
    You take the mean of the parts. They are parts of a sum.
no_inner_bias: + b_up[own] ->
    You leave out b_up. It is added before the activation.
inner_bias_in_shares: b_up[own] -> b_up[own] / num_devices
    You divide b_up by the number of devices. Each hidden feature is whole on one device.
in_turns: slice(rank * width, (rank + 1) * width) -> slice(rank, None, num_devices)
    Your devices take the hidden features in turns. The sum is right; device r has the r-th block.
first_inner_bias: b_up[own] -> b_up[:width]
    Every device takes the first numbers of b_up. They go with the rows of W_up.
no_activation: relu(x @ w_up[own].T + b_up[own]) -> x @ w_up[own].T + b_up[own]
    You leave out the ReLU.
activation_after: relu( -> ( && sum(parts) + b_down -> relu(sum(parts) + b_down)
or: relu( -> ( && sum(parts) + b_down -> relu(sum(parts)) + b_down
or: relu( -> ( && hidden @ w_down[:, own].T -> relu(hidden @ w_down[:, own].T)
    You take the ReLU after the second matrix. It stands between the two, on the hidden features.
activation_of_parts: len(w_up) // -> x.shape[-1] // && (rank + 1) * width -> (rank + 1) * width if \
        rank < num_devices - 1 else None && x @ w_up[own].T + b_up[own] -> x[:, own] @ w_up[:, \
        own].T + b_up / num_devices && w_down[:, own].T -> w_down.T
    You cut W_up along the input, and take the ReLU of a part of every hidden feature. The ReLU of a
    sum is not the sum of ReLUs: cut the rows of W_up.
columns_of_another: w_down[:, own] -> w_down.roll(-width, 1)[:, own]
    The columns of W_down are those of another device. They have the numbers of its rows of W_up.
whole_on_each: slice(rank * width, (rank + 1) * width) -> slice(None)
    Every device computes the whole network. A device has its own hidden features only.
exchanged: torch.stack(parts), sum(parts) + b_down -> sum(parts) + b_down, torch.stack(parts)
    Your two results stand in the other order: first the parts, then the output.
shares_of_the_whole: slice(rank * width, (rank + 1) * width) -> slice(None) && w_down[:, own].T -> \
                w_down[:, own].T / num_devices
    You compute the whole network and divide it by the number of devices. A part comes from a
    device's own hidden features.
whole_network_too: sum(parts) + b_down -> relu(x @ w_up.T + b_up) @ w_down.T + b_down
or: relu(x @ w_up[own].T + b_up[own]) -> relu(x @ w_up.T + b_up)[:, own]
    {MORE_PRODUCTS}
other_activation: relu(x @ w_up[own].T + b_up[own]) -> F.gelu(x @ w_up[own].T + b_up[own])
or: relu(x @ w_up[own].T + b_up[own]) -> F.silu(x @ w_up[own].T + b_up[own])
    Your activation is not ReLU, which makes every negative number 0.
"""


def _cases(*sizes):
    """(tokens, d_model, d_ff, devices) each."""

    def make(generator):
        for tokens, d_model, d_ff, n in sizes:
            matrices = (
                randn(generator, d_ff, d_model),
                randn(generator, d_ff),
                randn(generator, d_model, d_ff),
                randn(generator, d_model),
            )
            x = randn(generator, tokens, d_model)
            yield Case((x, *matrices, n), label=f"{n} devices, d_ff {d_ff}")

    return make


MORE_PRODUCTS = (
    "Your numbers are right, and you compute more than the parts take. Each device makes its own "
    "hidden features only, and the output is the sum of the parts, with b_down added once."
)


def _parts_alone(function):
    (case,) = _cases((2, 3, 12, 4))(torch.Generator(device="cpu").manual_seed(0))
    watch = watched(TensorWatch(), EXERCISE, function, case.args)
    return (MORE_PRODUCTS, "") if watch.computed > 2 * 12 + 4 * 2 * 3 else None


EXERCISE = Exercise(
    reference=feed_forward_parts,
    returns={"parts": "(num_devices, seq_len, d_model)", "output": "(seq_len, d_model)"},
    library=(FeedForward.forward,),
    properties=(
        Property(
            "each device's part, from its own hidden features",
            2,
            _cases((2, 2, 4, 2), (3, 4, 6, 2), (2, 3, 12, 4)),
            only="parts",
        ),
        Property(
            "the output is the sum, and b_down is added once",
            2,
            _cases((2, 2, 4, 2), (3, 4, 6, 3), (2, 3, 12, 4)),
            only="output",
        ),
        Property("no more is computed than the parts", 1, judge=_parts_alone, measured_inside=True),
        Property("one device is the whole network", 1, _cases((2, 3, 4, 1))),
    ),
    mistakes=MISTAKES,
)
