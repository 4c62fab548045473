"""Answers to trace_shapes (lesson 04, exercise 8), right and wrong, as students write them."""

import contextlib
import functools

import torch

import course_checks as checks


# right
def partial(module, x):
    entries = []

    def record(name, part, inputs, output):
        while isinstance(output, (tuple, list)):
            output = output[0]
        entries.append((name, output.shape))

    with contextlib.ExitStack() as stack:
        for name, part in module.named_modules():
            hook = part.register_forward_hook(functools.partial(record, name))
            stack.callback(hook.remove)
        module(x)
    return entries


# right
def by_global(module, x):
    names, entries = {part: name for name, part in module.named_modules()}, []

    def record(part, inputs, output):
        first = output if isinstance(output, torch.Tensor) else output[0]
        entries.append([names[part], first.shape])

    handle = torch.nn.modules.module.register_module_forward_hook(record)
    try:
        module(x)
    finally:
        handle.remove()
    return entries


# wrong: switches the module to eval mode and leaves it there
# named: mode_changed
# points: 5
def eval_mode_kept(module, x):
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


# wrong: never removes the hooks
# named: hooks_left
# points: 5
def hooks_stay(module, x):
    shapes = []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        part.register_forward_hook(hook_for(name))
    module(x)
    return shapes


# wrong: a return in the finally, which drops the error
# named: error_swallowed
# points: 5
def return_in_finally(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
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


# wrong: returns a dictionary
# says: It returned a dict
def as_a_dictionary(module, x):
    return dict(checks.trace_shapes.exercise.reference(module, x))


# wrong: returns the modules in place of their names
# says: a tuple of a torch.nn.modules
def traced_with_modules(module, x):
    return [(part, (1,)) for part in module.modules()]


# wrong: takes every output for a tensor
# points: 3
# says: 'tuple' object has no attribute 'shape'
def traced(module, x):
    entries = []
    for name, part in module.named_modules():
        part.register_forward_hook(lambda _, i, out, n=name: entries.append((n, tuple(out.shape))))
    module(x)
    return entries


# wrong: the hook reads name when the loop is over
# says: Pair 0 is
def traced_late(module, x):
    entries = []
    for name, part in module.named_modules():
        part.register_forward_hook(lambda *args: entries.append((name, tuple(args[2].shape))))
    module(x)
    return entries


# wrong: one entry per name, so a part that runs twice is listed once
# named: twice_is_once
# points: 5
def dictionary(module, x):
    shapes, handles = {}, []

    def make(name):
        def hook(m, i, o):
            o = o[0] if isinstance(o, (tuple, list)) else o
            shapes[name] = tuple(o.shape)

        return hook

    try:
        for name, part in module.named_modules():
            handles.append(part.register_forward_hook(make(name)))
        module(x)
    finally:
        for h in handles:
            h.remove()
    return list(shapes.items())


# other inputs
class Shared(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(3, 2), torch.nn.Linear(4, 3)
        self.act = torch.nn.Sequential(torch.nn.ReLU())

    def forward(self, x):
        y = self.act(self.first(self.act(self.second(x))))
        return y, x


def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    yield Shared(), randn(5, 4)
    yield torch.nn.Sequential(Shared(), torch.nn.Identity()), randn(2, 5, 4)
    yield torch.nn.Flatten(), randn(2, 3, 4)
