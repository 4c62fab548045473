# right
import torch


def trace_shapes(module, x):
    names = {id(part): name for name, part in module.named_modules()}
    seen = []

    def hook(part, inputs, output):
        if id(part) in names:
            first = output if torch.is_tensor(output) else output[0]
            seen.append((names[id(part)], tuple(first.shape)))

    handle = torch.nn.modules.module.register_module_forward_hook(hook)
    try:
        module(x)
    finally:
        handle.remove()
    return seen
