"""Inputs for the exercises on evidence for heads, other than the checks' own."""

import functools

import torch

from course_lib import causal_mask
from exercises.shared_inputs import masked_weights


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)

    if name == "near_share":
        for shape, width in (((2, 2, 3, 3), 1), ((1, 3, 6, 6), 3), ((2, 1, 5, 5), 2)):
            mask = causal_mask(shape[-1])
            yield randn(*shape).softmax(-1), width, torch.ones_like(mask)
            yield masked_weights(randn(*shape), mask), width, mask
    elif name == "subject_head":
        for num_layers, num_heads in ((2, 2), (3, 4), (4, 3)):
            places = (torch.randint(6, (5,), generator=generator) for _ in range(2))
            yield randn(num_layers, 5, num_heads, 6, 6).softmax(-1), *places
    elif name == "rungs":
        names = ("score", "baseline", "cost", "control", "found", "predicted")
        for count in (1, 2):
            rows = 0.4 * torch.rand(40, count, 6, generator=generator) + torch.tensor(
                [0.4, 0, 0.4, 0, 0, 0]
            )
            claims = [[dict(zip(names, row, strict=True)) for row in c] for c in rows.tolist()]
            yield tuple(map(tuple, claims)), 0.2
    elif name == "patched_effect":
        for shape, chosen in (((2, 2, 3, 2), (2,)), ((1, 3, 4, 1), (3, 1))):
            heads, twin_heads, read = randn(*shape), randn(*shape), randn(*shape[1:])

            def lead(said, read=read):
                return (
                    ((said * read).sum(dim=(1, 2, 3)).tanh() + said[:, -1, -1, 0] ** 2).sum().item()
                )

            yield heads, twin_heads, chosen, lead
