# right
import torch


def trace_shapes(module, x):
    import contextlib
    import functools

    lines = []

    def note(name, part, inputs, output):
        while not torch.is_tensor(output):
            output = next(iter(output.values())) if isinstance(output, dict) else output[0]
        lines.append((name, tuple(output.shape)))

    with contextlib.ExitStack() as stack:
        for name, part in module.named_modules():
            stack.callback(part.register_forward_hook(functools.partial(note, name)).remove)
        module(x)
    return lines
