# wrong: clears all forward hooks at the end, also those that others have set
# named: removes_others
import torch


def trace_shapes(module, x):
    out = []
    for name, part in module.named_modules():

        def hook(m, i, o, name=name):
            out.append((name, tuple((o if torch.is_tensor(o) else o[0]).shape)))

        part.register_forward_hook(hook)
    try:
        module(x)
    finally:
        for part in module.modules():
            part._forward_hooks.clear()
    return out
