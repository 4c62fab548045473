"""What a function computes and holds at a time, seen while it runs."""

import weakref
from collections import Counter

import torch
from torch.overrides import TorchFunctionMode

from course_checks.judge.calling import call

PRODUCTS = {"matmul", "rmatmul", "mm", "bmm", "addmm", "baddbmm", "mv", "dot", "vdot"}
PRODUCTS |= {"linalg_vecdot", "einsum", "linear", "inner", "tensordot"}


class TensorWatch(TorchFunctionMode):
    """Notes the largest tensor that any call returned, the largest product, how many numbers all
    products have, how often each function was called, and how many tensors of the shape ``tile``
    were held at a time."""

    def __init__(self, tile=None):
        super().__init__()
        self.tile = tile
        self.largest = self.product = self.computed = self.tiles = 0
        self.calls = Counter()  # by the function's name, without underscores
        self.held = {}  # of each tile that is alive, by its id: a reference that does not hold it

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        name = name_of(function)
        self.calls[name] += 1
        if isinstance(result, torch.Tensor):
            self.largest = max(self.largest, result.numel())
            if name in PRODUCTS:
                self.product = max(self.product, result.numel())
                self.computed += result.numel()
            if result.shape == self.tile and result.is_floating_point():
                self.held[id(result)] = weakref.ref(result)
                self.held = {key: ref for key, ref in self.held.items() if ref() is not None}
                self.tiles = max(self.tiles, len(self.held))
        return result


def name_of(function):
    """``matmul`` for torch.matmul, Tensor.matmul and @."""
    return getattr(function, "__name__", "").strip("_")


def watched(watch, exercise, function, args):
    """The watch, which has seen the function run."""

    def seen(*given):
        with watch:
            return function(*given)

    call(exercise, seen, args, 0)
    return watch
