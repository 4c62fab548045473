"""Inputs for the exercises on causal masking, of other sizes and values than the checks' own."""

import functools

import torch

from exercises.shared_inputs import random_masks


def layers_in_time():
    """Causal ones and others, for the student's test; others than the check's."""
    yield from (torch.sin, lambda x: x.cummax(dim=0).values, lambda x: x - x.roll(2, 0) / 3)
    yield from (lambda x: x.flip(0).cumsum(dim=0), lambda x: x.roll(-1, 0), lambda x: x - x[-1:])
    yield lambda x: torch.cat([x[:1] + x[1:2], x[1:]])
    yield lambda x: torch.cat([x[:3], x[3:4] * x[4:5].mean(), x[4:]])
    yield lambda x: torch.cat([x[:-2], x[-2:-1] - x[-1:], x[-1:]])


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)

    if name == "causal_mask":
        yield from ((6, 6), (1, 3), (2, 9), (3, 4))
    elif name == "leaks":
        yield from ((layer, randn(7, 3)) for layer in layers_in_time())
    elif name in ("masked_softmax", "safe_masked_softmax"):
        for shape, of_mask in (((6, 2), (6, 2)), ((3, 2, 5), (3, 1, 5)), ((2, 4, 3, 3), (3, 3))):
            mask = random_masks(generator, *of_mask)
            yield 5 * randn(*shape), mask
            if name == "safe_masked_softmax":
                mask[..., -1, :] = False
                yield 5 * randn(*shape), mask
    elif name == "masked_call":
        for heads, batch, length in ((1, 1, 2), (3, 2, 5)):
            layer = torch.nn.MultiheadAttention(6, heads, batch_first=True)
            yield layer, randn(batch, length, 6), random_masks(generator, length, length)
    elif name == "expand_mask":
        for shape in ((4, 4), (3, 4, 4), (3, 2, 5), (3, 3, 4, 2), (1, 3, 2, 2)):
            yield random_masks(generator, *shape), 3, 3
        yield random_masks(generator, 5, 2, 2), 5, 2
    elif name == "sliding_window_mask":
        yield from ((6, 1), (6, 2), (7, 5), (3, 8))
    elif name == "MyAttention":
        numbers = tuple(randn(8, 8) / 2 for _ in range(4))
        mask, for_heads = (random_masks(generator, *shape) for shape in ((3, 3), (2, 2, 3, 3)))
        empty = mask.clone()
        empty[1] = False
        for given, is_causal in ((None, False), (None, True), (mask, False), (for_heads, True),
                                 (empty, False), (empty, True)):  # fmt: skip
            yield 8, 2, 0.0, numbers, randn(2, 3, 8), given, is_causal, True
        yield 8, 2, 0.5, numbers, randn(2, 3, 8), None, False, False
