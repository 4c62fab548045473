# right
import contextlib
import functools

import torch


def trace_shapes(module, x):
    seen = []

    def note(name, part, inputs, output):
        while not isinstance(output, torch.Tensor):
            output = next(iter(output))
        seen.append((name, tuple(output.size())))

    with contextlib.ExitStack() as stack:
        for name, part in module.named_modules():
            handle = part.register_forward_hook(functools.partial(note, name))
            stack.callback(handle.remove)
        module(x)
    return seen
