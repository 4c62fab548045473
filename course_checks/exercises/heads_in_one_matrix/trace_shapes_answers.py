"""Answers to trace_shapes (lesson 04, exercise 8), right and wrong, as students write them."""

import contextlib
import functools
from contextlib import ExitStack

import torch


# wrong: calls module.forward, which runs no hook of the module itself
# named: whole_missing
def calls_forward(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(hook_for(name)))
    try:
        module.forward(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes


# wrong: looks at the direct children only
# named: children_only
def children_only(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_children():
        handles.append(part.register_forward_hook(hook_for(name)))
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes


# wrong: gives the class of a part for its name
# named: class_names
def class_names(module, x):
    shapes = []

    def hook(part, inputs, output):
        output = output[0] if isinstance(output, tuple) else output
        shapes.append((type(part).__name__, tuple(output.shape)))

    handles = [part.register_forward_hook(hook) for part in module.modules()]
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes


# wrong: clears all forward hooks at the end, also those that others have set
# named: removes_others
def clear_all(module, x):
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


# wrong: clears the hooks of others too
# named: removes_others
def clears_all_hooks(module, x):
    shapes = []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        part.register_forward_hook(hook_for(name))
    try:
        module(x)
    finally:
        for part in module.modules():
            part._forward_hooks.clear()
    return shapes


# wrong: removes the hooks of others as well
# named: removes_others
def clears_all_hooks_2(module, x):
    shapes = []

    def make(name):
        def hook(m, i, o):
            o = o[0] if isinstance(o, (tuple, list)) else o
            shapes.append((name, tuple(o.shape)))

        return hook

    try:
        for name, part in module.named_modules():
            part.register_forward_hook(make(name))
        module(x)
    finally:
        for part in module.modules():
            part._forward_hooks.clear()
    return shapes


# wrong: one entry per name, so a part that runs twice is listed once
# named: twice_is_once
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


# wrong: swallows the error
# named: error_swallowed
def error_swallowed(module, x):
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
    except Exception as error:
        print("the module stopped:", error)
    finally:
        for handle in handles:
            handle.remove()
    return shapes


# wrong: switches the module to eval mode and leaves it there
# named: mode_changed
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


# wrong: puts the module into eval mode and leaves it there
# named: mode_changed
def eval_mode(module, x):
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


# right
def exit_stack(module, x):
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


# right
def exitstack(module, x):
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


# right
def global_hook(module, x):
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


# wrong: the hook returns the first output, so it replaces what the part returned
# named: output_replaced
def hook_returns(module, x):
    shapes, handles = [], []

    def make(name):
        def hook(m, i, o):
            out = o[0] if isinstance(o, (tuple, list)) else o
            shapes.append((name, tuple(out.shape)))
            return out

        return hook

    try:
        for name, part in module.named_modules():
            handles.append(part.register_forward_hook(make(name)))
        module(x)
    finally:
        for h in handles:
            h.remove()
    return shapes


# wrong: never removes the hooks
# named: hooks_left
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


# wrong: removes the hooks only when all went well
# named: hooks_left_after_error
def hooks_stay_after_an_error(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(hook_for(name)))
    module(x)
    for handle in handles:
        handle.remove()
    return shapes


# wrong: records the shape of the input, not of the output
# named: inputs
def input_shape(module, x):
    out, handles = [], []
    for name, part in module.named_modules():

        def hook(m, inputs, o, name=name):
            if inputs:
                out.append((name, tuple(inputs[0].shape)))

        handles.append(part.register_forward_hook(hook))
    try:
        module(x)
    finally:
        for h in handles:
            h.remove()
    return out


# wrong: the hook looks the loop variable up when called, so all lines have the last name
# named: last_name
def lambda_(module, x):
    out, handles = [], []
    for name, part in module.named_modules():
        handles.append(
            part.register_forward_hook(
                lambda m, i, o: out.append(
                    (name, tuple((o[0] if isinstance(o, tuple) else o).shape))
                )
            )
        )
    try:
        module(x)
    finally:
        for h in handles:
            h.remove()
    return out


# wrong: a lambda in the loop, which finds the last name every time
# named: last_name
def lambda_in_the_loop(module, x):
    shapes, handles = [], []
    for name, part in module.named_modules():
        handles.append(
            part.register_forward_hook(
                lambda m, i, o: shapes.append(
                    (name, tuple((o[0] if type(o) is tuple else o).shape))
                )
            )
        )
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes


# wrong: keeps the last part of a dotted name
# named: last_part_of_name
def last_name_only(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name.split(".")[-1], tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(hook_for(name)))
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes


# wrong: takes the last of several things
# named: last_of_several
def last_of_a_tuple(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[-1] if isinstance(output, tuple) else output
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


# wrong: the lambda in the loop finds the last name every time
# named: last_name
def late_lambda(module, x):
    shapes, handles = [], []
    first = lambda o: o[0] if isinstance(o, tuple) else o
    try:
        for name, part in module.named_modules():
            handles.append(
                part.register_forward_hook(
                    lambda m, i, o: shapes.append((name, tuple(first(o).shape)))
                )
            )
        module(x)
    finally:
        for h in handles:
            h.remove()
    return shapes


# wrong: leaves out the parts that have parts
# named: innermost_only
def leaves_only(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        if not list(part.children()):
            handles.append(part.register_forward_hook(hook_for(name)))
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes


# wrong: hooks only parts without children
# named: innermost_only
def leaves_only_2(module, x):
    shapes, handles = [], []

    def make(name):
        def hook(m, i, o):
            shapes.append((name, tuple((o[0] if isinstance(o, tuple) else o).shape)))

        return hook

    try:
        for name, part in module.named_modules():
            if not list(part.children()):
                handles.append(part.register_forward_hook(make(name)))
        module(x)
    finally:
        for h in handles:
            h.remove()
    return shapes


# wrong: switches the module to eval mode and leaves it there
# named: mode_changed
def left_in_eval(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(hook_for(name)))
    module.eval()
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes


# wrong: gives each shape as a list
# named: lists
def lists_for_tuples(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name, list(output.shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(hook_for(name)))
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes


# wrong: removes the hooks only when no error happened
# named: hooks_left_after_error
def no_finally(module, x):
    out, handles = [], []

    def make(name):
        def hook(m, i, o):
            o = o[0] if isinstance(o, (tuple, list)) else o
            out.append((name, tuple(o.shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(make(name)))
    module(x)
    [h.remove() for h in handles]
    return out


# wrong: the hooks stay when the module stops with an error
# named: hooks_left_after_error
def no_finally_2(module, x):
    shapes, handles = [], []

    def make(name):
        def hook(m, i, o):
            o = o[0] if isinstance(o, (tuple, list)) else o
            shapes.append((name, tuple(o.shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(make(name)))
    module(x)
    for h in handles:
        h.remove()
    return shapes


# wrong: keeps one pair for a part that runs twice
# named: twice_is_once
def once_each(module, x):
    shapes, handles = {}, []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes[name] = tuple(output.shape)

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(hook_for(name)))
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return list(shapes.items())


# wrong: the order of named_modules, not that in which they ended
# named: defined_order
def order_of_the_names(module, x):
    shapes, handles = {}, []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes[name].append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        shapes[name] = []
        handles.append(part.register_forward_hook(hook_for(name)))
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return [pair for pairs in shapes.values() for pair in pairs]


# wrong: a return in the finally, which drops the error
# named: error_swallowed
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


# right
def right_caught_and_raised_again(module, x):
    shapes, handles, error = [], [], None

    class Hook:
        def __init__(self, name):
            self.name = name

        def __call__(self, part, inputs, output):
            first = output if hasattr(output, "shape") else output[0]
            shapes.append((self.name, tuple(first.shape)))

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(Hook(name)))
    try:
        module(x)
    except Exception as caught:
        error = caught
    for handle in handles:
        handle.remove()
    if error is not None:
        raise error
    return shapes


# right
def right_default_argument(module, x):
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


# right
def right_exit_stack(module, x):
    shapes = []

    def recorder(name):
        def hook(_, inputs, output):
            first = output[0] if isinstance(output, (tuple, list)) else output
            shapes.append((name, tuple(first.shape)))

        return hook

    with ExitStack() as stack:
        for name, part in module.named_modules():
            stack.callback(part.register_forward_hook(recorder(name)).remove)
        module(x)
    return shapes


# right
def right_names_by_module(module, x):
    names = {part: name for name, part in module.named_modules()}
    found = []

    def hook(part, inputs, output):
        output = output[0] if isinstance(output, tuple) else output
        found.append((names[part], output.shape))

    handles = [part.register_forward_hook(hook) for part in names]
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return found


# right
def _note(shapes, name, module, inputs, output):
    while not isinstance(output, torch.Tensor):
        output = output[0]
    shapes.append((name, tuple(output.shape)))


def right_partial(module, x):
    shapes = []
    handles = [
        part.register_forward_hook(functools.partial(_note, shapes, name))
        for name, part in module.named_modules()
    ]
    try:
        module(x)
        return shapes
    finally:
        for handle in handles:
            handle.remove()


# wrong: runs the module twice, and clears its list in between
# named: runs_twice
def runs_twice(module, x):
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
        shapes.clear()
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes


# wrong: notes the shape of the input
# named: inputs
def shapes_of_the_inputs(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            shapes.append((name, tuple(inputs[0].shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(hook_for(name)))
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes


# wrong: prints the error and goes on
# named: error_swallowed
def swallows(module, x):
    shapes, handles = [], []

    def make(name):
        def hook(m, i, o):
            o = o[0] if isinstance(o, (tuple, list)) else o
            shapes.append((name, tuple(o.shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(make(name)))
    try:
        module(x)
    except Exception as error:
        print("failed:", error)
    for h in handles:
        h.remove()
    return shapes


# wrong: takes output[0] of a tensor too
# named: first_of_a_tensor
def tensors_lose_the_batch(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            shapes.append((name, tuple(output[0].shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(hook_for(name)))
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes


# wrong: gives every part the mode of the whole afterwards
# named: mode_changed
def train_for_all_afterwards(module, x):
    shapes, handles, mode = [], [], module.training

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        handles.append(part.register_forward_hook(hook_for(name)))
    module.eval()
    try:
        module(x)
    finally:
        module.train(mode)
        for handle in handles:
            handle.remove()
    return shapes


# wrong: runs the module once to see whether it works, and once with its hooks
# named: runs_twice
def tried_before_the_hooks(module, x):
    module(x)
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


# wrong: takes the shape of a tuple when a part returns several things
def tuple_crash(module, x):
    shapes, handles = [], []

    def make(name):
        return lambda m, i, o: shapes.append((name, tuple(o.shape)))

    try:
        for name, part in module.named_modules():
            handles.append(part.register_forward_hook(make(name)))
        module(x)
    finally:
        for h in handles:
            h.remove()
    return shapes


# wrong: leaves out parts that return several things
# named: several_skipped
def tuples_skipped(module, x):
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


# wrong: asks a tuple for its shape
def tuples_unforeseen(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
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


# wrong: leaves out the module itself
# named: whole_missing
def without_the_whole(module, x):
    shapes, handles = [], []

    def hook_for(name):
        def hook(part, inputs, output):
            output = output[0] if isinstance(output, tuple) else output
            shapes.append((name, tuple(output.shape)))

        return hook

    for name, part in module.named_modules():
        if name:
            handles.append(part.register_forward_hook(hook_for(name)))
    try:
        module(x)
    finally:
        for handle in handles:
            handle.remove()
    return shapes


# wrong: remove_duplicate=False: a shared layer gets two hooks
# named: both_names
def by_both_names(module, x):
    found, handles = [], []

    def make(name):
        def hook(m, i, o):
            o = o[0] if isinstance(o, (tuple, list)) else o
            found.append((name, tuple(o.shape)))

        return hook

    try:
        for name, part in module.named_modules(remove_duplicate=False):
            handles.append(part.register_forward_hook(make(name)))
        module(x)
    finally:
        for h in handles:
            h.remove()
    return found
