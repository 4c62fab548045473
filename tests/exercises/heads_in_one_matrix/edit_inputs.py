"""Inputs for the exercises on heads in one matrix, other than the checks' own."""

import functools

import torch


def layers_of_batches():
    """(batch, seq_len, d_model) to the same, for the student's probes; others than the check's."""
    yield from (torch.sin, lambda x: x.flip(1), lambda x: x - x.mean(dim=2, keepdim=True))
    yield from (lambda x: x * x.amax(dim=1, keepdim=True), lambda x: x.cummax(dim=1).values)
    yield from (lambda x: x - x.amin(dim=(0, 1)), lambda x: x + x.flip(0), lambda x: x * x[:1])
    yield lambda x: x + x.roll(1, 1) / 2
    yield lambda x: torch.cat([x[:, :-1], x[:, -1:] - x[:, 2:3]], dim=1)
    yield lambda x: torch.cat([x[:-1], x[-1:] - x[:1]])


class Clock:
    """Goes on only when one of its jobs runs; the jobs' times are given call by call."""

    def __init__(self):
        self.now = 0.0

    def read(self):
        return self.now


class Job:
    def __init__(self, clock, seconds):
        self.clock, self.seconds = clock, list(seconds)

    def __call__(self):
        self.clock.now += self.seconds.pop(0) if len(self.seconds) > 1 else self.seconds[0]


class Shared(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(3, 2), torch.nn.Linear(4, 3)
        self.act = torch.nn.Sequential(torch.nn.ReLU())

    def forward(self, x):
        y = self.act(self.first(self.act(self.second(x))))
        return y, x


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)

    if name == "split_heads":
        for shape, heads in (((2, 2, 6), 3), ((1, 4, 4), 4), ((3, 4, 10), 2)):
            yield randn(*shape), heads
    elif name == "combine_heads":
        for shape in ((3, 2, 4, 2), (1, 4, 1, 3), (2, 2, 5, 1), (4, 4, 4, 4)):
            yield (randn(*shape),)
    elif name == "probe_layer":
        yield from ((layer, randn(3, 9, 5)) for layer in layers_of_batches())
    elif name == "heads_to_matrix":
        for heads, head_dim, d_model in ((4, 1, 3), (2, 3, 6), (5, 2, 2)):
            linears = (torch.nn.Linear(d_model, head_dim) for _ in range(heads))
            yield (torch.nn.ModuleList(linears),)
    elif name == "head_parts":
        for d_model, heads, i in ((6, 3, 2), (10, 2, 0), (5, 5, 3), (9, 3, 1)):
            yield randn(d_model, d_model), randn(d_model, d_model), heads, i
    elif name == "unpack_gpt2":
        yield from ((randn(d_model, 3 * d_model),) for d_model in (3, 5, 8))
    elif name == "unpack_neox":
        for d_model, heads in ((6, 3), (10, 2), (5, 5), (4, 1)):
            yield randn(3 * d_model, d_model), heads
    elif name == "trace_shapes":
        yield Shared(), randn(5, 4)
        yield torch.nn.Sequential(Shared(), torch.nn.Identity()), randn(2, 5, 4)
        yield torch.nn.Flatten(), randn(2, 3, 4)
    elif name == "relative_costs":
        for rounds in (3, 9):
            clock = Clock()
            jobs = (Job(clock, (randn(20) ** 2 + 1).tolist()) for _ in range(3))
            yield tuple(jobs), clock.read, rounds
    elif name == "MyMultiHead":
        for batch, length, d_model, num_heads in ((2, 2, 4, 2), (1, 4, 6, 3), (3, 2, 4, 4)):
            numbers = tuple(randn(d_model, d_model) / 2 for _ in range(4))
            yield d_model, num_heads, numbers, randn(batch, length, d_model), True
