"""Answers to drops_twice (lesson 08, exercise 4), right and wrong, as students write them."""

import functools

import numpy as np
import torch
from torch import nn


# right
def repeated(layer, x, p):
    """Many copies of the batch in one call, each number judged where it is ever seen."""
    layer.train()
    many = x.repeat(1 + 3000 // x.numel(), 1, 1)
    kept = ((layer(many) - many) != 0).double()  # (copies * batch, length, d_model)
    alone = kept.reshape(-1, *x.shape).any(dim=0).repeat(len(many) // len(x), 1, 1)
    if x.numel() > 1000:  # one copy would not show what is never added
        alone = (layer.eval()(many) != many).expand_as(kept)
    share = kept[alone].mean().item()
    return abs(share - (1 - p)) > abs(share - (1 - p) ** 2)


# right
def by_counted(layer, x, p):
    zeros = counted = 0
    silent = (layer.train(False)(x) == x).numpy()
    layer.train(True)
    while counted < 1500:
        lost = (layer(x) == x).numpy()[~silent]
        zeros, counted = zeros + lost.sum(), counted + lost.size
    return np.bool_(zeros / counted > p * (1 + (1 - p) / 2))


# wrong: counts the Dropout modules
# named: counts_modules
# points: 4
def counts_modules(layer, x, p):
    return len([m for m in layer.modules() if isinstance(m, nn.Dropout)]) >= 2


# wrong: a tolerance of 0.01 above p
# not named yet: more_than_p
def line_near_p(layer, x, p):
    layer.eval()
    own = (layer(x) - x) != 0
    layer.train()
    lost = torch.stack([(layer(x) - x == 0)[own] for _ in range(1 + 600 // x.numel())])
    share = lost.double().mean().item()
    return share > p + 0.01


# wrong: calls the layer once only, too few numbers when x has four
# named: one_run
def one_call(layer, x, p):
    layer.eval()
    alive = layer(x) != x
    layer.train()
    share = ((layer(x) == x) & alive).sum().item() / max(1, alive.sum().item())
    return share > (p + 1 - (1 - p) ** 2) / 2


# wrong: counts zeros in the output itself, to which x has been added
# named: never
def output_zeros(layer, x, p):
    layer.train()
    zeros = torch.cat([(layer(x) == 0).flatten().float() for _ in range(1 + 2000 // x.numel())])
    return bool(zeros.mean() > p + p * (1 - p) / 2)


# wrong: never switches to train mode
# not named yet: mode_as_it_comes | never
def stays_in_eval(layer, x, p):
    update = layer(x) - x
    return (update == 0).float().mean().item() > (p + 1 - (1 - p) ** 2) / 2


# wrong: asks ten times, however few numbers x has
# points: 5
# says: when x has few numbers
def share_of_zeros(layer, x, p, runs=None):
    own = layer.eval()(x) != x
    runs = runs or 1 + 700 // x.numel()
    layer.train()
    return torch.cat([(layer(x) == x)[own] for _ in range(runs)]).double().mean()


def asks_ten_times(layer, x, p):
    return share_of_zeros(layer, x, p, runs=10) > p + p * (1 - p) / 2


# other inputs
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


def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for p in (0.5, 0.6):
        for times in (1, 2):
            for mode in (True, False):
                yield DropsOutput(p, times).train(mode), randn(4, 30, 20), p
                yield DropsOutput(0.5, times).train(mode), randn(1, 2, 4), 0.5
