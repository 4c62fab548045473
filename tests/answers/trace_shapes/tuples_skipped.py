# wrong: leaves out parts that return several things
# named: several_skipped
import torch


def trace_shapes(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            if isinstance(output, torch.Tensor):
                shapes.append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(hook_for(name)))
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes
