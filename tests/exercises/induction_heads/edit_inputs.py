"""Inputs for the exercises on induction heads, of other sizes and values than the checks' own."""

import functools

import torch

from course_lib import causal_mask, padding_mask
from exercises.shared_inputs import masked_weights


def look_up(accuracies, removed):
    """A model's accuracy without some heads: another one for each set of them."""
    return accuracies[sum(2**head for head in set(removed))]


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)

    if name == "entropy_share":
        for shape in ((2, 2, 4, 4), (1, 3, 7, 7)):
            yield randn(*shape).softmax(-1), torch.ones(shape[2:], dtype=torch.bool)
            yield masked_weights(randn(*shape), causal_mask(shape[-1])), causal_mask(shape[-1])
        mask = padding_mask([2, 6, 1], 6)
        yield masked_weights(randn(3, 1, 3, 6), mask), mask
    elif name == "induction":
        for batch, length, symbols in ((1, 5, 3), (3, 7, 3), (2, 4, 2)):
            tokens = torch.randint(symbols, (batch, length), generator=generator)
            yield randn(batch, 2, length, length).softmax(-1), tokens
    elif name == "cost_and_control":
        for num_heads, chosen in ((4, (0,)), (5, (2, 4)), (6, (0, 1, 2))):
            left = torch.rand(2**num_heads, generator=generator).tolist()
            yield functools.partial(look_up, left), num_heads, chosen
    elif name == "path_effects":
        for shape in ((1, 2, 3), (3, 4, 2)):
            reads = randn(3, *shape[1:])

            def lead(query, key, value, reads=reads):
                parts = (torch.stack((query, key, value), dim=1) * reads).sum(dim=(1, 2, 3))
                return (parts.tanh() + 0.1 * key[:, 0, 0] ** 2).sum().item()

            yield *(randn(*shape) for _ in range(4)), lead
