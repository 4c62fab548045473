"""Lesson 08, exercise 7: what the residual sum adds up, and what is left without it."""

import math

from torch import cat, float32, float64, stack, zeros_like

from course_lib.checks.exercise import Case, Exercise, Property, randn


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
through_a_layer_twice: _twice_through_a_layer
    Some of your paths go through the same layer twice: you use what you have just changed. Go from
    the longest to the shortest, or make a new list in each layer.
shortest_first: _grown_in_place
    Your loop changes the entries from the shortest to the longest. So entry k - 1 is already the
    new one, and from the second layer on some paths go through the same layer twice. Go from the
    longest to the shortest, or make a new list in each layer.
without_the_sum: _chain
    Entry k of yours is what comes out of the first k layers without the sum: one path of each
    length. With the sum each layer may be passed through or passed by, so there are more: of length
    1, one for each layer.
last_layers_only: _last_layers
    Entry k of yours passes through the last k layers: one path of each length. Any k layers make a
    path.
by_layer: _by_layer
    Your entries are what each layer adds. Their sum is right, but what layer 2 adds holds paths of
    length 1 and of length 2: it has read what layer 1 wrote.
stream_after_each: _stream
    Your entries are the stream after each layer. Entry k should hold only what has passed through
    exactly k layers.
reversed_layers: in weights -> in weights.flip(0)
    Your paths meet the layers in the wrong order: weights[0] comes first. (Matrices do not
    commute.)
not_transposed: weight.T -> weight
    You multiply by the weights as they are. torch.nn.Linear stores (out_features, in_features): x @
    weight.T.
longest_first: stack(paths) -> stack(paths[::-1])
    Your list begins with the longest path. Entry 0 is x itself, which passed through no layer.
first_weight_again: weight.T -> weights[0].T
    You use weights[0] for every layer. Each layer has a matrix of its own.
averaged: _averaged
    You take the mean of the paths of each length. The stream adds them up.
"""
# (num_layers + 1, ..., d_model)


def _twice_through_a_layer(x, weights):
    paths = [x] + [zeros_like(x) for _ in weights]
    for weight in weights:
        for k in range(len(weights)):
            paths[k + 1] = paths[k + 1] + paths[k] @ weight.T
    return stack(paths)


def _grown_in_place(x, weights):
    paths = [x]
    for weight in weights:
        paths.append(zeros_like(x))
        for k in range(1, len(paths)):  # paths[k - 1] is already the new one
            paths[k] = paths[k] + paths[k - 1] @ weight.T
    return stack(paths)


def _stream(x, weights):
    """x and what the stream is after each layer."""
    states = [x]
    for weight in weights:
        states.append(states[-1] + states[-1] @ weight.T)
    return stack(states)


def _by_layer(x, weights):
    states = _stream(x, weights)
    return cat([states[:1], states[1:] - states[:-1]])


def _chain(x, weights):
    """Without the residual sum: x, after one layer, after two."""
    states = [x]
    for weight in weights:
        states.append(states[-1] @ weight.T)
    return stack(states)


def _last_layers(x, weights):
    return stack([_chain(x, weights[len(weights) - k :])[-1] for k in range(len(weights) + 1)])


def _averaged(x, weights):
    counts = (math.comb(len(weights), k) for k in range(len(weights) + 1))
    return stack([paths / n for paths, n in zip(paths_by_length(x, weights), counts, strict=True)])


def _cases(*sizes, dtype=float32):
    """(number of layers, leading dimensions and tokens, d_model) each."""

    def make(generator):
        made = []
        for num_layers, lead, d_model in sizes:
            weights = randn(generator, num_layers, d_model, d_model) / math.sqrt(d_model)
            made.append(Case((randn(generator, *lead, d_model).to(dtype), weights.to(dtype))))
        return made

    return make


EXERCISE = Exercise(
    lesson="08",
    number=7,
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
            lambda generator: (
                _cases((3, (2, 3), 4), (2, (3, 1, 2), 3))(generator)
                + _cases((3, (2,), 3), dtype=float64)(generator)
            ),
        ),
    ),
    mistakes=MISTAKES,
)
