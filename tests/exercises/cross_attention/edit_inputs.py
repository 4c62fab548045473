"""Inputs for the exercises on cross attention, of other sizes and values than the checks' own."""

import functools

import torch

from course_lib import padding_mask
from exercises.shared_inputs import attention_with, random_masks


def cross(attend, x, memory):
    return attend(x, memory, memory)


def cross_transposed(attend, x, memory):
    output, weights = attend(x, memory, memory)
    return output, weights.mT


def readers():
    """One answer per sentence, right ones and others; others than the check's."""

    def real(source, lengths):
        return (torch.arange(source.shape[1]) < lengths[:, None])[..., None]

    def largest(source, lengths):
        return source.masked_fill(~real(source, lengths), -torch.inf).amax(dim=1)

    yield from (largest, lambda source, lengths: source[:, 0] * lengths[:, None])
    yield from (lambda source, lengths: source.amax(dim=1), lambda source, lengths: source[:, -1])
    yield lambda source, lengths: largest(source, lengths) - source[:1, 0]
    yield lambda source, lengths: largest(source, lengths).cumsum(dim=0)
    yield lambda source, lengths: largest(source, lengths) / lengths.max()
    yield lambda source, lengths: largest(source, lengths) / len(lengths)


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)

    if name == "cross_attend":
        for lead, query_len, key_len, d in (((), 4, 4, 3), ((), 5, 3, 4), ((3, 2), 2, 5, 4)):
            weights = (randn(3, d) for _ in range(3))
            yield randn(*lead, query_len, d), randn(*lead, key_len, d), *weights
    elif name == "padding_mask":
        for lengths, max_len in (([1, 2, 3], 3), ([5, 0], 6), ([2, 2, 1, 4], 4)):
            yield torch.tensor(lengths), max_len
    elif name == "combine_masks":
        for batch, length in ((2, 5), (4, 4), (1, 3)):
            padding = torch.rand(batch, 1, 1, length, generator=generator) < 0.6
            yield padding, random_masks(generator, length, length)
    elif name == "rows_are_queries":
        for weights_of in (torch.sigmoid, torch.exp, lambda scores: torch.softmax(-scores, -1)):
            attend = attention_with(weights_of)
            for query_len, key_len in ((2, 4), (3, 3)):
                x, memory = randn(query_len, 5), randn(key_len, 5)
                yield functools.partial(cross, attend), x, memory
                yield functools.partial(cross_transposed, attend), x, memory
    elif name == "attend_safely":
        for lengths, heads, key_len in (
            ([1, 3], 1, 3),
            ([0, 2, 4], 3, 5),
            ([0], 2, 1),
            ([0], 1, 0),
        ):
            parts = (randn(len(lengths), heads, n, 5) for n in (3, key_len, key_len))
            yield *parts, padding_mask(lengths, key_len)
    elif name == "depends_on_neighbours":
        yield from ((model, randn(4, 5, 3), torch.tensor([3, 5, 1, 4])) for model in readers())
