"""What attention in tiles holds at a time, seen while it runs."""

import weakref

import torch
from torch.overrides import TorchFunctionMode

from course_lib.checks.exercise import randn
from course_lib.checks.judge.calling import call

SIZE, BLOCK = 48, 4  # 12 by 12 tiles
STEPS = 9  # so many versions of one tile may be held: its scores, masked, their exponentials
PRODUCTS = {"matmul", "mm", "bmm", "addmm", "mv", "einsum", "linear", "inner", "tensordot"}


class TileWatch(TorchFunctionMode):
    """Notes the largest tensor that any call returned, the largest product, how many numbers all
    products have, and how many tiles were held at a time."""

    def __init__(self):
        super().__init__()
        self.largest = self.product = self.computed = self.tiles = 0
        self.held = {}  # of each tile that is alive, by its id: a reference that does not hold it

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor):
            self.largest = max(self.largest, result.numel())
            if getattr(function, "__name__", "") in PRODUCTS:
                self.product = max(self.product, result.numel())
                self.computed += result.numel()
            if result.shape == (BLOCK, BLOCK) and result.is_floating_point():
                self.held[id(result)] = weakref.ref(result)
                self.held = {key: ref for key, ref in self.held.items() if ref() is not None}
                self.tiles = max(self.tiles, len(self.held))
        return result


def tile_inputs():
    generator = torch.Generator(device="cpu").manual_seed(0)
    return [randn(generator, SIZE, 3) for _ in range(3)]


def watched(watch, exercise, function, args):
    """The watch, which has seen the function run."""

    def seen(*given):
        with watch:
            return function(*given)

    call(exercise, seen, args, 0)
    return watch
