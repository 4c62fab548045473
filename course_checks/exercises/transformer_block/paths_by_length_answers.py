"""Answers to paths_by_length (lesson 08, exercise 7), right and wrong, as students write them."""

import functools
import itertools

import torch
import torch.nn.functional as F

import course_checks as checks


# right
def subsets(x, weights):
    """Every choice of layers, one after the other."""
    count = len(weights)
    paths = torch.zeros(count + 1, *x.shape, dtype=x.dtype)
    for k in range(count + 1):
        for chosen in itertools.combinations(weights, k):
            paths[k] += functools.reduce(F.linear, chosen, x)
    return paths


# right
def by_in_place(x, weights):
    paths = [x] + [0 * x for _ in weights]
    for seen, weight in enumerate(weights):
        for k in range(seen, -1, -1):  # from the longest
            paths[k + 1] = paths[k + 1] + torch.einsum("...d,ed->...e", paths[k], weight)
    return torch.stack(paths)


# wrong: entry k is the one path through the first k layers
# named: without_the_sum
def first_k_layers(x, weights):
    out = [x]
    for w in weights:
        out.append(out[-1] @ w.T)
    return torch.stack(out)


# wrong: a table that is always float32
# named: dtype
# points: 5
def float_table(x, weights):
    paths = torch.zeros(len(weights) + 1, *x.shape)
    paths[0] = x
    for weight in weights:
        paths[1:] = paths[1:] + paths[:-1].clone() @ weight.T.float()
    return paths


# wrong: changes the list from the shortest to the longest
# named: through_a_layer_twice
# points: 2
def forwards(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for weight in weights:
        for k in range(1, len(paths)):
            paths[k] = paths[k] + paths[k - 1] @ weight.T
    return torch.stack(paths)


# wrong: starts with x itself and changes it in place
# named: changes_input
def in_place(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for weight in weights:
        for k in range(len(weights), 0, -1):
            paths[k] += paths[k - 1] @ weight.T
    paths[0] *= 2
    paths[0] /= 2
    x += paths[-1]
    return torch.stack(paths)


# wrong: the first weight at each step
# named: first_weight_again
def powers_of_the_first(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for _ in weights:
        for k in range(len(weights), 0, -1):
            paths[k] = paths[k] + paths[k - 1] @ weights[0].T
    return torch.stack(paths)


# wrong: begins with weights[0], which does not exist when there are no layers
def starts_from_first_weight(x, weights):
    paths = [x, x @ weights[0].T]
    for w in weights[1:]:
        through = [p @ w.T for p in paths]
        paths = [x] + [a + b for a, b in zip(paths[1:] + [torch.zeros_like(x)], through)]
    return torch.stack(paths)


# wrong: the stream after each layer
# named: stream_after_each
def stream(x, weights):
    paths = [x]
    for weight in weights:
        paths.append(paths[-1] + paths[-1] @ weight.T)
    return torch.stack(paths)


# wrong: returns a list
# says: It returned a list
def a_list_of_paths(x, weights):
    return list(checks.paths_by_length.exercise.reference(x, weights))


# wrong: returns the longest path alone
# says: expected (3, 1, 2)
def without_the_sum(x, weights):
    for weight in weights:
        x = x @ weight.T
    return x


# wrong: paths through neighbouring layers alone
# named: consecutive_only
def windows(x, weights):
    count, answer = len(weights), [x]
    for k in range(1, count + 1):
        total = torch.zeros_like(x)
        for first in range(count - k + 1):
            path = x
            for weight in weights[first : first + k]:
                path = path @ weight.T
            total = total + path
        answer.append(total)
    return torch.stack(answer)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for count, shape in ((2, (1, 3)), (4, (2, 2)), (3, (2, 2, 5)), (1, (4, 4)), (0, (2, 3))):
        yield randn(*shape), randn(count, shape[-1], shape[-1]) / 2
