"""Answers to paths_by_length (lesson 08, exercise 7), right and wrong, as students write them."""

import functools
import math
from itertools import combinations

import torch


# right
def all_combinations(x, weights):
    n = len(weights)
    out = torch.zeros(n + 1, *x.shape, dtype=x.dtype)
    for k in range(n + 1):
        for chosen in combinations(range(n), k):
            out[k] += functools.reduce(lambda s, i: s @ weights[i].mT, chosen, x)
    return out


# right
def all_subsets(x, weights):
    entries = []
    for k in range(len(weights) + 1):
        total = torch.zeros_like(x)
        for chosen in combinations(range(len(weights)), k):
            path = x
            for i in chosen:
                path = path @ weights[i].T
            total = total + path
        entries.append(total)
    return torch.stack(entries)


# right
def backwards_in_place_list(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for weight in weights:
        for k in range(len(weights), 0, -1):
            paths[k] = paths[k] + paths[k - 1] @ weight.T
    return torch.stack(paths)


# right
def by_einsum(x, weights):
    paths = x.new_zeros(len(weights) + 1, *x.shape)
    paths[0] = x
    for weight in weights:
        through = torch.einsum("k...i,oi->k...o", paths[:-1], weight)
        paths = torch.cat([paths[:1], paths[1:] + through])
    return paths


# right
def detached(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for weight in weights:
        for k in range(len(weights), 0, -1):
            paths[k] = paths[k] + (paths[k - 1] @ weight.T).detach()
    return torch.stack(paths)


# wrong: length one only, zeros above
def each_layer_alone_for_length_one(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    if len(weights):
        paths[1] = sum(x @ weight.T for weight in weights)
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
def float_table(x, weights):
    paths = torch.zeros(len(weights) + 1, *x.shape)
    paths[0] = x
    for weight in weights:
        paths[1:] = paths[1:] + paths[:-1].clone() @ weight.T.float()
    return paths


# wrong: changes the list from the shortest to the longest
# named: through_a_layer_twice
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


# wrong: updates the list from the shortest to the longest, so paths go through a layer more than once
# named: through_a_layer_twice
def inplace_up(x, weights):
    n = len(weights)
    paths = [x] + [torch.zeros_like(x) for _ in range(n)]
    for w in weights:
        for k in range(1, n + 1):
            paths[k] = paths[k] + paths[k - 1] @ w.T
    return torch.stack(paths)


# wrong: the last layer first
# named: reversed_layers
def layers_reversed(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for weight in weights.flip(0):
        for k in range(len(weights), 0, -1):
            paths[k] = paths[k] + paths[k - 1] @ weight.T
    return torch.stack(paths)


# wrong: sends paths through the layers from the last to the first
# named: reversed_layers
def layers_reversed_2(x, weights):
    paths = [x]
    for w in weights.flip(0):
        new = [x]
        for k in range(1, len(paths) + 1):
            old = paths[k] if k < len(paths) else torch.zeros_like(x)
            new.append(old + paths[k - 1] @ w.T)
        paths = new
    return torch.stack(paths)


# wrong: returns a list instead of a tensor
def list_returned(x, weights):
    paths = [x]
    for w in weights:
        new = [x]
        for k in range(1, len(paths) + 1):
            old = paths[k] if k < len(paths) else 0
            new.append(old + paths[k - 1] @ w.T)
        paths = new
    return paths


# wrong: the longest path first
# named: longest_first
def longest_first(x, weights):
    paths = [x]
    for weight in weights:
        longer = [path @ weight.T for path in paths] + [torch.zeros_like(x)]
        paths = [a + b for a, b in zip(longer, [torch.zeros_like(x)] + paths, strict=False)]
    return torch.stack(paths)


# wrong: the mean of the paths of each length
# named: averaged
def mean_of_paths(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    n = len(weights)
    for weight in weights:
        for k in range(n, 0, -1):
            paths[k] = paths[k] + paths[k - 1] @ weight.T
    return torch.stack([path / math.comb(n, k) for k, path in enumerate(paths)])


# wrong: leaves x itself out
def no_entry_for_no_layer(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for weight in weights:
        for k in range(len(weights), 0, -1):
            paths[k] = paths[k] + paths[k - 1] @ weight.T
    return torch.stack(paths[1:] or [x])


# wrong: multiplies by weights[i] without the transpose
# named: not_transposed
def no_transpose(x, weights):
    paths = [x]
    for w in weights:
        zero = torch.zeros_like(x)
        paths = [a + b @ w for a, b in zip(paths + [zero], [zero] + paths)]
    return torch.stack(paths)


# wrong: multiplies by the weights as they are stored
# named: not_transposed
def no_transpose_2(x, weights):
    paths = [x]
    for w in weights:
        through = [p @ w for p in paths]
        paths = [x] + [a + b for a, b in zip(paths[1:] + [torch.zeros_like(x)], through)]
    return torch.stack(paths)


# wrong: multiplies by the weight as it is stored
# named: not_transposed
def not_transposed(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for weight in weights:
        for k in range(len(weights), 0, -1):
            paths[k] = paths[k] + paths[k - 1] @ weight
    return torch.stack(paths)


# wrong: the first weight at each step
# named: first_weight_again
def powers_of_the_first(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for _ in weights:
        for k in range(len(weights), 0, -1):
            paths[k] = paths[k] + paths[k - 1] @ weights[0].T
    return torch.stack(paths)


# right
def recursive(x, weights):
    if len(weights) == 0:
        return x[None]
    shorter = paths_by_length(x, weights[:-1])
    none = torch.zeros_like(x)[None]
    return torch.cat([shorter, none]) + torch.cat([none, shorter @ weights[-1].T])


# wrong: the layers are gone through last one first
# named: reversed_layers
def reversed_layers(x, weights):
    paths = [x]
    for w in reversed(list(weights)):
        zero = torch.zeros_like(x)
        paths = [a + b @ w.mT for a, b in zip(paths + [zero], [zero] + paths)]
    return torch.stack(paths)


# wrong: meets the second layer before the first in the longer path
# named: reversed_layers
def second_path_reversed(x, weights):
    paths = [x] + [torch.zeros_like(x) for _ in weights]
    for weight in [weights[i] for i in range(len(weights) - 1, -1, -1)]:
        for k in range(len(weights), 0, -1):
            paths[k] = paths[k] + paths[k - 1] @ weight.T
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


# right
def subsets(x, weights):
    import itertools

    n = len(weights)
    entries = []
    for k in range(n + 1):
        total = torch.zeros_like(x)
        for chosen in itertools.combinations(range(n), k):
            path = x
            for i in chosen:
                path = torch.nn.functional.linear(path, weights[i])
            total = total + path
        entries.append(total)
    return torch.stack(entries)


# wrong: the four paths of two layers written out
def two_layers_only(x, weights):
    if len(weights) == 0:
        return x[None]
    if len(weights) == 1:
        return torch.stack([x, x @ weights[0].T])
    a, b = x @ weights[0].T, x @ weights[1].T
    return torch.stack([x, a + b, a @ weights[1].T] + [torch.zeros_like(x)] * (len(weights) - 2))


# wrong: what each layer adds to the stream
# named: by_layer
def updates(x, weights):
    stream, paths = x, [x]
    for weight in weights:
        update = stream @ weight.T
        paths.append(update)
        stream = stream + update
    return torch.stack(paths)


# wrong: leaves out length 0
def without_x(x, weights):
    paths = [x]
    for w in weights:
        through = [p @ w.T for p in paths]
        paths = [x] + [a + b for a, b in zip(paths[1:] + [torch.zeros_like(x)], through)]
    return torch.stack(paths[1:] or [torch.zeros_like(x)])
