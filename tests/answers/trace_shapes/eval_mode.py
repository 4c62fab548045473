# wrong: puts the module into eval mode and leaves it there
# named: mode_changed
import torch


def trace_shapes(module, x):
    shapes, handles = [], []

    def make(name):
        def hook(m, i, o):
            o = o[0] if isinstance(o, (tuple, list)) else o
            shapes.append((name, tuple(o.shape)))

        return hook

    module.eval()
    try:
        for name, part in module.named_modules():
            handles.append(part.register_forward_hook(make(name)))
        with torch.no_grad():
            module(x)
    finally:
        for h in handles:
            h.remove()
    return shapes
