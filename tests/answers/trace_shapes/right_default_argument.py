# right
import torch


def trace_shapes(module, x):
    found, handles = [], []
    try:
        for name, part in module.named_modules():

            def hook(module, inputs, output, name=name):
                if not torch.is_tensor(output):
                    output = output[0]
                found.append((name, tuple(output.size())))

            handles.append(part.register_forward_hook(hook))
        module(x)
    finally:
        while handles:
            handles.pop().remove()
    return found
