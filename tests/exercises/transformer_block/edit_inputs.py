"""Inputs for the exercises on transformer block, of other sizes and values than the checks' own."""

import functools

import torch


class DropsOutput(torch.nn.Module):
    """Adds 1 to some features, dropped once or twice, for the student's test."""

    def __init__(self, p, times):
        super().__init__()
        self.drop, self.times = torch.nn.Dropout(p), times

    def forward(self, x):
        update = (torch.arange(x.shape[-1]) % 3 > 0).float().expand_as(x)
        for _ in range(self.times):
            update = self.drop(update)
        return x + update


def inputs(name, generator):
    """Argument tuples for the exercise ``name``."""
    randn = functools.partial(torch.randn, generator=generator)

    if name == "layer_norm":
        for shape, spread, eps in (((2, 6), 1, 1e-5), ((2, 2, 3), 0.01, 1e-4), ((3, 3), 2, 0.3)):
            yield spread * randn(*shape) + 1, randn(shape[-1]), randn(shape[-1]), eps
        yield torch.ones(2, 4), randn(4), randn(4), 1e-3
    elif name == "feed_forward":
        for lead, d_model, d_ff in (((3,), 5, 2), ((2, 2), 2, 4), ((5,), 5, 5)):
            maps = randn(d_ff, d_model), randn(d_ff), randn(d_model, d_ff), randn(d_model)
            yield randn(*lead, d_model), *maps
    elif name == "block_step":
        for shape in ((3, 5), (2, 4, 3)):
            weight, shift = randn(shape[-1], shape[-1]), randn(shape[-1])
            sublayer = functools.partial(torch.matmul, other=weight)
            norm = functools.partial(torch.add, shift)
            yield from ((randn(*shape), sublayer, norm, first) for first in (True, False))
            norm = functools.partial(torch.softmax, dim=-1)
            yield from ((randn(*shape), torch.sin, norm, first) for first in (True, False))
    elif name == "drops_twice":
        for p in (0.5, 0.6):
            for times in (1, 2):
                for mode in (True, False):
                    yield DropsOutput(p, times).train(mode), randn(4, 30, 20), p
                    yield DropsOutput(0.5, times).train(mode), randn(1, 2, 4), 0.5
    elif name == "gpt2_parameters":
        yield from ((9, 4, 3, 2), (17, 6, 5, 3), (100, 10, 4, 1))
    elif name == "encode":
        for activation in ("relu", "gelu"):
            for norm_first in (True, False):
                for norm in (None, torch.nn.LayerNorm(6)):
                    layer = torch.nn.TransformerEncoderLayer(
                        6, 2, 7, 0.0, activation, batch_first=True, norm_first=norm_first
                    )
                    encoder = torch.nn.TransformerEncoder(
                        layer, 2, norm, enable_nested_tensor=False
                    )
                    for parameter in encoder.parameters():
                        parameter.data.copy_(randn(*parameter.shape))
                    yield encoder.eval(), randn(2, 4, 6)
    elif name == "paths_by_length":
        for count, shape in ((2, (1, 3)), (4, (2, 2)), (3, (2, 2, 5)), (1, (4, 4)), (0, (2, 3))):
            yield randn(*shape), randn(count, shape[-1], shape[-1]) / 2
