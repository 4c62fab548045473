"""Inputs for the exercises on single head, of other sizes and values than the checks' own."""

import functools

import torch


def layers():
    """Equivariant ones and others, for the student's test; others than the check's."""
    yield from (torch.tanh, torch.relu, lambda x: x - x.mean(dim=0), lambda x: x * x.amax(dim=0))
    yield from (lambda x: x.flip(0), lambda x: x.roll(2, 0), lambda x: x.cumprod(dim=0))
    yield lambda x: x * torch.arange(1.0, len(x) + 1).unsqueeze(-1)
    yield lambda x: x + x[:1]
    yield lambda x: torch.softmax(x, dim=0).cummax(dim=0).values


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)

    if name in ("project_qkv", "single_head"):
        for shape, head_dim in (((4, 4), 4), ((5, 3), 6), ((2, 7), 2), ((3, 2, 5), 5)):
            yield randn(*shape), *(randn(head_dim, shape[-1]) / 2 for _ in range(3))
    elif name == "scaled_scores":
        for lead, t_q, t_k, d in (((), 3, 3, 3), ((4,), 4, 4, 4), ((3, 1), 2, 6, 9)):
            yield randn(*lead, t_q, d), randn(*lead, t_k, d)
    elif name == "is_equivariant":
        yield from ((layer, randn(9, 3)) for layer in layers())
    elif name == "softmax_jacobian":
        yield from ((torch.softmax(2 * randn(length), dim=0),) for length in (2, 4, 7))
    elif name == "MyHead":
        for shape, head_dim in (((4, 4), 4), ((2, 5, 3), 6), ((2, 7), 2)):
            numbers = tuple(randn(head_dim, shape[-1]) / 2 for _ in range(3))
            yield shape[-1], head_dim, numbers, randn(*shape), True
