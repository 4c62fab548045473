"""Inputs for the exercises on positions, of other sizes and values than the checks' own."""

import functools

import torch

from course_lib import RotaryEmbedding


def positions_for_batches(randn):
    """Right ones and others, for the student's test; others than the check's."""
    table = randn(40, 3)
    yield from (lambda x: x - table[: x.shape[1]], lambda x: x * table[: x.shape[1]])
    yield from (lambda x: x + table[x.shape[0]], lambda x: -x, lambda x: x + x.cumsum(dim=0))
    yield lambda x: x + table[torch.arange(x.shape[1]).clamp(max=x.shape[1] - 2)]
    yield lambda x: x + table[torch.arange(x.shape[1]) % 6]
    yield lambda x: x + table[: x.shape[1]] * len(x)
    yield lambda x: torch.cat([x[:-1] + table[: x.shape[1]], x[-1:] - table[: x.shape[1]]])


def positions_for_pairs(randn):
    """(for queries, for keys), right ones and others; others than the check's."""

    def place(x):
        return torch.arange(len(x))[:, None]

    turn = RotaryEmbedding(6, base=50.0)
    yield from ((turn, turn), (turn, lambda x: 2 * turn(x, 3)), (turn, lambda x: turn(turn(x))))
    yield from ((turn, torch.tanh), (torch.tanh, torch.exp), (lambda x: -x, turn))
    yield (lambda x: x * (1 + place(x)),) * 2
    yield (lambda x: x * torch.exp(place(x) / 9), lambda x: x * torch.exp(-place(x) / 9))
    yield (lambda x: x + (place(x) == 16) * randn(6), torch.clone)


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)

    if name == "sinusoidal_positions":
        yield from ((4, 6), (9, 2), (3, 10), (30, 6))
    elif name == "add_learned":
        for shape, max_len, offset in (((2, 5, 3), 9, 0), ((4, 2, 6), 7, 3), ((3, 1, 2), 5, 4)):
            yield randn(*shape), randn(max_len, shape[-1]), offset
    elif name == "rotary":
        for shape, first in (((4, 6), 0), ((3, 5, 2), 1), ((2, 4, 3, 8), 5), ((2, 2, 9, 4), 30)):
            yield randn(*shape), first
    elif name == "places_by_time":
        yield from ((function, randn(4, 7, 3)) for function in positions_for_batches(randn))
    elif name == "depends_on_distance_only":
        yield from ((*functions, 17, 6) for functions in positions_for_pairs(randn))
    elif name == "alibi_scores":
        for shape in ((2, 3, 5, 5), (3, 2, 2, 4), (1, 4, 1, 6), (2, 2, 3, 3)):
            yield randn(*shape), randn(shape[1]) ** 2 + 0.1
