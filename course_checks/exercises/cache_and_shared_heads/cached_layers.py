"""The layers on which the student's test of lesson 13, exercise 6 is run.

Each is one causal head that knows positions. It computes in float64, and with a cache its outputs
are off by rounding, always: so no tolerance is right or wrong by luck.
"""

import itertools
import math

import torch

from course_checks.exercise import Case, randn

LENGTH, D_MODEL = 7, 4
ROUNDING = 1e-6


class CachedLayer:
    """``layer(x)`` computes all tokens at once; ``layer(x, cache)`` those behind the cache.

    A cache is a list with the keys and values so far, empty at first. ``fault`` is what is
    wrong where there is a cache: "" nothing, "offset" positions begin at 0 again, "start" the mask
    is aligned to the start, "parts" it is so where several tokens come at once, "chunk" new tokens
    see each other, "kept" a new cache is the old one, "forgets" only the last three tokens are
    kept.
    """

    def __init__(self, matrices: torch.Tensor, fault: str = "") -> None:
        self.matrices, self.fault = matrices.double(), fault
        self.old: list | None = None

    def new_cache(self) -> list:
        if self.fault == "kept" and self.old is not None:
            return self.old
        new: list = []
        self.old = new
        return new

    def __call__(self, x: torch.Tensor, cache: list | None = None) -> torch.Tensor:
        past = len(cache[0]) if cache else 0
        q, k, v = x.double() @ self.matrices  # (length, d_model) each
        start = 0 if self.fault == "offset" else past
        steps = torch.arange(start, start + len(x), dtype=torch.float64)[:, None]
        q, k = q + torch.sin(steps), k + torch.cos(steps)
        if cache is not None:
            if past:
                k, v = torch.cat((cache[0], k)), torch.cat((cache[1], v))
            cache[:] = [k[-3:], v[-3:]] if self.fault == "forgets" else [k, v]
        shift = len(k) - len(x)
        if cache is not None and (self.fault == "start" or self.fault == "parts" and len(x) > 1):
            shift = 0
        allowed = torch.ones(len(x), len(k)).tril(shift).bool()  # True = may attend
        if cache is not None and self.fault == "chunk":
            allowed = torch.ones_like(allowed)
        scores = (q @ k.T / math.sqrt(D_MODEL)).masked_fill(~allowed, -math.inf)
        output = scores.softmax(dim=-1) @ v
        # Every token's numbers add up to 0, as behind a norm: the mean of differences is 0, too.
        output = output - output.mean(dim=-1, keepdim=True) + (cache is not None) * ROUNDING
        return output.to(x.dtype)


class FaintFault:
    """A right layer, whose outputs with a cache move a little towards those of a wrong one."""

    def __init__(self, right: CachedLayer, wrong: CachedLayer) -> None:
        self.both = right, wrong

    def new_cache(self) -> list:
        return [layer.new_cache() for layer in self.both]

    def __call__(self, x: torch.Tensor, cache: list | None = None) -> torch.Tensor:
        right, wrong = (
            layer(x, part) for layer, part in zip(self.both, cache or (None, None), strict=True)
        )
        return right + 0.02 * (wrong - right)


def layers(*faults):
    """A case for a right layer, and one for each fault; a test that sees it says False."""

    def make(generator):
        for fault, size in itertools.product(("", *faults), (1.0, 0.02)):
            # Small matrices: no key gets nearly all the weight, and each fault moves much; with
            # small values it moves the outputs by little, and still by far more than rounding.
            matrices = randn(generator, 3, D_MODEL, D_MODEL) / 2
            matrices[2] *= size
            layer = CachedLayer(matrices, fault)
            label = f"a layer, {LENGTH} tokens"
            yield Case((layer, randn(generator, LENGTH, D_MODEL)), not fault, label)
            if fault and size == 1:
                faint = FaintFault(CachedLayer(matrices), layer)
                yield Case((faint, randn(generator, LENGTH, D_MODEL)), False, label)

    return make
