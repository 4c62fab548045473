"""Lesson 08, exercise 4: find the block that drops its FFN's output twice."""

import math

import torch
from torch import nn

from course_checks.exercise import Case, Exercise, Property, randn


def drops_twice(layer, x, p):
    own = layer.eval()(x) - x != 0  # what the layer adds, where it is not 0 by itself
    layer.train()
    runs = 1 + 600 // x.numel()
    lost = torch.stack([(layer(x) - x == 0)[own] for _ in range(runs)])
    once, twice = p, 1 - (1 - p) ** 2
    return bool(lost.double().mean() > (once + twice) / 2)


MISTAKES = """
never: lambda layer, x, p: False
    Your test says False to every layer. Do you look at what the layer adds, layer(x) - x, in train
    mode? And what share of zeros do you expect of two dropouts? It is 1 - (1 - p) ** 2. (Means show
    nothing, as dropout divides what it keeps by 1 - p.)
always: lambda layer, x, p: True
    Your test says True to every layer. One dropout makes zeros as well, a share p of all.
mode_as_it_comes: own = layer.eval()(x) - x != 0 -> \
        was_training = layer.training; own = layer.eval()(x) - x != 0 && layer.train() -> \
        layer.train(was_training)
or: own = layer.eval()(x) - x != 0 -> own = x == x && layer.train() ->
    To a layer that comes in eval mode you say False. Nothing is dropped there: call layer.train()
    first. (You do? Then count zeros. Means show nothing, as dropout divides what it keeps by 1 -
    p.)
counts_modules: lambda layer, x, p: sum(isinstance(module, nn.Dropout) for module in \
        layer.modules()) > 1
or: _count_calls
    You count Dropout modules, or their calls. One on the hidden features belongs there, and one may
    be called twice: look at the output.
zeros_of_its_own: (layer(x) - x == 0)[own] -> layer(x) - x == 0
or: (layer(x) - x == 0)[own] -> layer(x) - x == 0 && 1 + 600 // x.numel() -> 1
    You count all zeros. Some numbers are 0 in eval mode too: leave them out.
one_run: 1 + 600 // x.numel() -> 1
    You see one run of the layer, or the same one again, seeded. With few numbers their share of
    zeros is an accident: repeat, without a seed, until you have seen some hundred numbers.
more_than_p: (once + twice) / 2 -> once
or: (layer(x) - x == 0)[own] -> layer(x) - x == 0 && 1 + 600 // x.numel() -> 1 && \
        (once + twice) / 2 -> once
    You say True as soon as the share of zeros is above p. After one dropout it is, by chance, about
    every second time: draw the line half-way between p and what two give.
twice_is_the_line: > (once + twice) / 2 -> >= twice
    You say False until the share of zeros reaches what two dropouts give. By chance two stay below
    it about every second time: draw the line half-way between p and that.
exchanged: bool(lost.double().mean() > -> bool(lost.double().mean() <=
    All your answers are the opposite. Are True and False exchanged, or dropped and kept?
dropped_against_kept: > (once + twice) / 2 -> < 1 - twice || (once + twice) / 2 -> 1 - twice
    You compare the share of zeros with (1 - p) * (1 - p), what two dropouts keep. They drop 1 less
    that.
fixed_distance: (once + twice) / 2 -> once + 0.1 || once + 0.05
    Your line lies a fixed distance above p. Two dropouts lose p * (1 - p) more than one, which may
    be little: decide half-way between the two shares.
near_two: 600 // x.numel() -> 3000 // x.numel() && lost.double().mean() > (once + twice) / 2 -> \
        abs(lost.double().mean() - twice) < 0.02
or: lost.double().mean() > (once + twice) / 2 -> abs(lost.double().mean() - twice) < 0.02 || \
        abs(lost.double().mean() - twice) < 0.01 || abs(lost.double().mean() - twice) < 0.05
    You ask whether the share of zeros lies near what two dropouts give, and fix what near is. One
    dropout loses p * (1 - p) less, which may be little: decide half-way between the two shares.
fixed_line: (once + twice) / 2 -> 0.15
    You compare the share of zeros with a fixed number. What one dropout drops is p.
adds_probabilities: lost.double().mean() > (once + twice) / 2 -> \
        abs(lost.double().mean() - 2 * p) < abs(lost.double().mean() - p)
or: > (once + twice) / 2 -> >= 2 * p
    You expect two dropouts to drop 2p. What the first has dropped, the second cannot: they keep (1
    - p) * (1 - p).
"""


def _count_calls(layer, x, p):
    calls = []
    drops = [module for module in layer.train().modules() if isinstance(module, nn.Dropout)]
    handles = [drop.register_forward_hook(lambda *call: calls.append(call)) for drop in drops]
    layer(x)
    for handle in handles:
        handle.remove()
    return len(calls) > 1


class _Drop(nn.Dropout):
    """A dropout at random places, but as many as p says, plus ``luck`` in the long run.

    So a test that counts enough numbers finds the same on every run, and so does a wrong one.
    Where torch's random numbers are seeded alike again, it drops the same places again.
    """

    def __init__(self, p, luck):
        super().__init__(p)
        self.owed = luck
        self.kept = {}  # what it kept, by the state of torch's random numbers

    def forward(self, update):
        if not self.training:
            return update
        places = update.flatten().nonzero()[:, 0]  # what another dropout has left
        key = places.numel(), torch.get_rng_state().numpy().tobytes()
        if key not in self.kept:
            self.kept[key] = self._draw(update, places)
        return update * self.kept[key] / (1 - self.p)

    def _draw(self, update, places):
        owed, most = self.owed + self.p * places.numel(), places.numel()
        number = min(max(math.floor(owed), 0), most)
        self.owed = owed - number
        kept = torch.ones(update.numel())
        kept[places[torch.randperm(most)[:number]]] = 0
        return kept.view_as(update)


class _Layer(nn.Module):
    """x plus a map of x, dropped by each of ``drops``; ``hidden`` drops before the map."""

    def __init__(self, generator, d_model, drops, hidden=None, silent=0):
        super().__init__()
        self.hidden, self.drops = hidden, nn.ModuleList(drops)
        weight = randn(generator, d_model, d_model) / math.sqrt(d_model)
        weight[:, :silent] = 0  # features to which this layer never adds anything
        self.register_buffer("weight", weight)

    def forward(self, x):
        update = (self.hidden(x) if self.hidden else x) @ self.weight
        for drop in self.drops:
            update = drop(update)
        return x + update


def _case(generator, p, times, luck=1.5, shape=(4, 8, 32), training=True, shared=False, **options):
    drops = [_Drop(p, luck)] * times if shared else [_Drop(p, luck) for _ in range(times)]
    layer = _Layer(generator, shape[-1], drops, **options).train(training)
    kind = "twice" if times == 2 else "once"
    mode = "train" if training else "eval"
    label = f"a layer that drops {kind}, in {mode} mode, with p = {p} and x of shape {shape}"
    return Case((layer, randn(generator, *shape), p), times == 2, label)


def _plain(generator):
    """The shares of zeros lie a little above what they should be, a little below, and above."""
    return [
        _case(generator, p, times, luck)
        for p, luck in ((0.1, 1.5), (0.3, -0.5), (0.8, 1.5), (0.04, 1.5), (0.01, -0.5))
        for times in (1, 2)
    ]


def _in_eval_mode(generator):
    return [_case(generator, p, times, training=False) for p in (0.2, 0.5) for times in (1, 2)]


def _disguised(generator):
    """A dropout where it belongs besides; one module that is called twice; zeros of its own."""
    return [
        _case(generator, 0.2, 1, hidden=nn.Dropout(0.2)),
        _case(generator, 0.4, 1, hidden=nn.Dropout(0.4), training=False),
        _case(generator, 0.2, 2, hidden=nn.Dropout(0.2)),
        _case(generator, 0.2, 2, shared=True),
        _case(generator, 0.2, 1, -0.5, silent=16),
        _case(generator, 0.3, 2, silent=16),
    ]


def _few_numbers(generator):
    """Here the first calls drop more than they should, or less; some hundred numbers make up."""
    return [
        _case(generator, 0.6, times, luck, shape=(1, 2, 8))
        for luck in (20, -20, 16)
        for times in (1, 2)
    ]


EXERCISE = Exercise(
    reference=drops_twice,
    returns={"its answer": "True or False"},
    kind="bool",
    when_it_varies=(
        "Your function gave two different answers about the same layer: they depend on chance. "
        "Either it counts too few numbers, or its line lies too near one of the two shares, that "
        "of one dropout (p) or that of two: draw it half-way between them."
    ),
    properties=(
        Property("it tells a layer that drops twice from one that drops once", 1, _plain),
        Property("it also does when the layer comes in eval mode", 1, _in_eval_mode),
        Property(
            "no other dropout, no module called twice and no zeros of its own mislead it",
            2,
            _disguised,
        ),
        Property("it also does when x has few numbers", 1, _few_numbers),
    ),
    mistakes=MISTAKES,
)
