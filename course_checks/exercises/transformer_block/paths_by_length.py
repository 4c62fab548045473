"""Lesson 08, exercise 7: what the residual sum adds up, and what is left without it."""

import math

from torch import float32, float64, stack, zeros_like

from course_checks.exercise import Case, Exercise, Property, all_of, randn


def paths_by_length(x, weights):
    paths = [x]  # paths[k]: all that has passed through k layers so far
    for weight in weights:
        longer = [path @ weight.T for path in paths]
        none = [zeros_like(x)]
        paths = [
            stayed + passed for stayed, passed in zip(paths + none, none + longer, strict=True)
        ]
    return stack(paths)  # (num_layers + 1, ..., d_model)


MISTAKES = """
through_a_layer_twice: none = [zeros_like(x)] -> last = zeros_like(x); none = [last] && \
        stayed + passed for stayed, passed in zip(paths + none, none + longer, strict=True) -> \
        last := stayed + last @ weight.T for stayed in paths + none
or: none = [zeros_like(x)] -> last = zeros_like(x); none = [last] && \
        paths = [x] -> paths = [x] + [zeros_like(x) for _ in weights] && \
        stayed + passed for stayed, passed in zip(paths + none, none + longer, strict=True) -> \
        last := stayed + last @ weight.T for stayed in paths
    Some of your paths go through a layer twice: you use what you have just changed. Go from the
    longest to the shortest, or make a new list in each layer.
without_the_sum: stayed + passed for stayed, passed in zip(paths + none, none + longer, \
        strict=True) -> *paths, longer[-1]
    Entry k of yours is one path, through the first k layers. With the sum each layer may be passed
    by, so there are more: of length 1, one for each layer.
last_layers_only: stayed + passed for stayed, passed in zip(paths + none, none + longer, \
        strict=True) -> x, *longer
    Entry k of yours passes through the last k layers. Any k layers make a path.
consecutive_only: _consecutive
    Your paths pass only through layers that stand next to each other. With the sum a path may pass
    by a layer in between: layers 1 and 3 make a path too.
by_layer: stayed + passed for stayed, passed in zip(paths + none, none + longer, strict=True) -> \
                *paths, sum(paths) @ weight.T
    Your entries are what each layer adds. What layer 2 adds holds paths of length 1 and of length
    2.
stream_after_each: stayed + passed for stayed, passed in zip(paths + none, none + longer, \
        strict=True) -> *paths, paths[-1] + longer[-1]
    Your entries are the stream after each layer. Entry k holds only what passed through exactly k.
reversed_layers: in weights -> in weights.flip(0)
    Your paths meet the layers in the wrong order: weights[0] comes first.
not_transposed: weight.T -> weight
    You multiply by the weights as they are. torch.nn.Linear stores (out_features, in_features).
longest_first: stack(paths) -> stack(paths[::-1])
    Your list begins with the longest path. Entry 0 is x itself, which passed through no layer.
first_weight_again: weight.T -> weights[0].T
    You use weights[0] for every layer. Each layer has a matrix of its own.
averaged: stack(paths) -> stack([path / math.comb(len(weights), k) for k, path in enumerate(paths)])
    You take the mean of the paths of each length. The stream adds them up.
"""


def _consecutive(x, weights):
    paths, ending = [x], [x]  # ending[k]: what passed through the last k layers
    for weight in weights:
        ending = [x, *(path @ weight.T for path in ending)]
        paths = [x, *map(sum, zip([*paths[1:], zeros_like(x)], ending[1:], strict=True))]
    return stack(paths)


def _cases(*sizes, dtype=float32):
    """(number of layers, leading dimensions and tokens, d_model) each."""

    def make(generator):
        for num_layers, lead, d_model in sizes:
            weights = randn(generator, num_layers, d_model, d_model) / math.sqrt(d_model)
            yield Case((randn(generator, *lead, d_model).to(dtype), weights.to(dtype)))

    return make


EXERCISE = Exercise(
    reference=paths_by_length,
    returns={"paths": "(num_layers + 1, ..., d_model)"},
    properties=(
        Property(
            "two layers: four paths, of lengths 0, 1, 1 and 2",
            2,
            _cases((2, (1,), 2), (2, (3,), 4)),
        ),
        Property("more layers", 1, _cases((3, (2,), 3), (5, (2,), 2))),
        Property("a single layer, and none", 1, _cases((1, (2,), 3), (0, (2,), 3))),
        Property(
            "the same holds for batches, and in float64",
            1,
            all_of(_cases((3, (2, 3), 4), (2, (3, 1, 2), 3)), _cases((3, (2,), 3), dtype=float64)),
        ),
    ),
    mistakes=MISTAKES,
)
