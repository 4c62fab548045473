# wrong: switches the module to eval mode and leaves it there
# named: mode_changed
import torch


def trace_shapes(module, x):
    out, handles = [], []
    module.eval()
    for name, part in module.named_modules():

        def hook(m, i, o, name=name):
            out.append((name, tuple((o if torch.is_tensor(o) else o[0]).shape)))

        handles.append(part.register_forward_hook(hook))
    try:
        with torch.no_grad():
            module(x)
    finally:
        for h in handles:
            h.remove()
    return out
