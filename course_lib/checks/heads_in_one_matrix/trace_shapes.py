"""Lesson 04, exercise 8: the shapes inside a module, seen through forward hooks."""

import torch
from torch import nn

from course_lib.checks.exercise import Exercise, Mistake, Property
from course_lib.checks.heads_in_one_matrix.traced_modules import (
    Kept,
    Raises,
    a_head,
    branches,
    chains,
)
from course_lib.checks.judge.calling import call


def trace_shapes(module, x):
    hooks, found = [], []
    try:
        for name, part in module.named_modules():
            hooks.append(part.register_forward_hook(_recorder(found, name)))
        module(x)
    finally:
        for hook in hooks:
            hook.remove()
    return found


MISTAKES = """
children_only: _children_only
    You hang hooks on named_children(): that leaves out the whole module, and the children of
    children. named_modules() gives all of them.
output_replaced: _replaces
    Your hook returns something, and PyTorch takes that for the part's output: the parts that follow
    compute with it. A hook that only watches returns None.
innermost_only: _picked(lambda found, module: [pair for pair in found if not \
        list(module.get_submodule(pair[0]).children())])
    You list only parts that have no parts of their own. The others have an output too.
whole_missing: _picked(lambda found, module: [pair for pair in found if pair[0]])
    Your list lacks the module itself: its name is the empty string, as named_modules() gives it,
    and it comes last. If you have set its hook: module.forward(x) runs the code without the hooks,
    module(x) with them.
defined_order: _picked(_in_defined_order)
    Your list is in the order in which the parts were defined. Let each hook add to the list when it
    is called: then the list has the order in which they ran.
twice_is_once: _picked(lambda found, module: list(dict(found).items()))
    A part that runs twice is in your list once. A dictionary keeps one shape for each name; a list
    keeps every call.
inputs: _of_inputs
    Your shapes are those of the inputs. A forward hook is called with (module, inputs, output):
    take the third.
last_name: _picked(lambda found, module: \
        [(list(module.named_modules())[-1][0], s) for _, s in found])
    All of your pairs have one name, the last. A function that is made in a loop looks the loop's
    variable up when it is called, and by then the loop has ended. Make the hook in a function of
    its own that takes the name.
"""

MORE_MISTAKES = """
class_names: _for_outputs(lambda name, part, output: (type(part).__name__, _shape(output)))
    Your names are those of the classes. Two parts of one class would be called alike:
    named_modules() gives each part a name of its own.
last_part_of_name: _for_outputs(lambda name, part, output: (name.split(".")[-1], _shape(output)))
    You cut the names at their points. Parts of different parents would be called alike: keep the
    whole name that named_modules() gives.
first_of_a_tensor: _for_outputs(lambda name, part, output: (name, tuple(output[0].shape)))
    Your shapes lack their first number: output[0] of a tensor is its first entry. Take [0] only
    where the output is a tuple.
last_of_several: _for_outputs(lambda name, part, output: (name, tuple(_last(output).shape)))
    Where a part returns several things you take the last. The first is asked for.
several_skipped: _for_outputs(lambda name, part, output: None if isinstance(output, tuple) else \
        (name, _shape(output)))
    You leave out the parts that return several things. Take the shape of the first.
lists: _picked(lambda found, module: [(name, list(shape)) for name, shape in found])
    Your shapes are lists. A shape is a tuple: tuple(output.shape).
"""


def _recorder(found, name):
    def record(module, inputs, output):
        found.append((name, _shape(output)))

    return record


def _first(output):
    return output[0] if isinstance(output, tuple) else output


def _shape(output):
    return tuple(_first(output).shape)


SWALLOWED = (
    "When the module stops with an error, your function hides it. Whoever called it believes that "
    "all went well: let the error reach the caller. An except holds it back, and so does a return "
    "that stands in the finally."
)

MODE = (
    "Your function leaves some parts in another mode: module.eval() and module.train() set "
    "training in all of them. A trace needs neither."
)

LEFT = (
    "Your hooks are still there when your function is done: they would run at every later call, "
    "and each trace would add more. Keep what register_forward_hook returns, and call its remove()."
)

LEFT_AFTER_ERROR = (
    "When the module stops with an error, your hooks stay behind: the line that removes them is "
    "never reached. Put it in the finally of a try, which runs either way."
)

RUNS_TWICE = (
    "Your function runs the module more than once. One run is enough: the hooks must be set before "
    "it. A second one costs as much again, and a layer such as dropout or BatchNorm is another "
    "one after it."
)

REMOVED_OTHERS = (
    "Your function also removes a hook that somebody else had put there. Remove your own only: "
    "keep what register_forward_hook returns, and call its remove()."
)


def _what_stays(function):
    """(one of the sentences above, no line), or None when the module is as it was before."""
    x = torch.ones(1, 2)
    for layer, sentence in ((nn.Tanh(), LEFT), (Raises(), LEFT_AFTER_ERROR)):
        module = Kept(nn.Linear(2, 2), layer)
        runs = []
        other = module[0].register_forward_hook(lambda *args, runs=runs: runs.append(args))
        module[0].eval()  # one part in each mode
        before = [part.training for part in module.modules()]
        outcome = call(EXERCISE, function, (module, x), 0)
        hooks = [key for part in module.modules() for key in part._forward_hooks]
        if other.id not in hooks:
            return REMOVED_OTHERS, ""
        if len(hooks) > 1:
            return sentence, ""
        if len(runs) > 1:
            return RUNS_TWICE, ""
        if [part.training for part in module.modules()] != before:
            return MODE, ""
        if outcome.error is None and sentence is LEFT_AFTER_ERROR:
            return SWALLOWED, ""
    return None


def _for_outputs(pair_of):
    """A version whose hooks add ``pair_of(name, part, output)``, unless that is None."""

    def version(module, x):
        hooks, found = [], []

        def recorder(name):
            def record(part, inputs, output):
                pair = pair_of(name, part, output)
                found.extend([pair] if pair else [])

            return record

        try:
            for name, part in module.named_modules():
                hooks.append(part.register_forward_hook(recorder(name)))
            module(x)
        finally:
            for hook in hooks:
                hook.remove()
        return found

    return version


def _last(output):
    return output[-1] if isinstance(output, tuple) else output


def _run_before(module, x):
    module(x)
    return trace_shapes(module, x)


def _picked(pick):
    """A version that returns ``pick(right answer, module)``."""
    return lambda module, x: pick(trace_shapes(module, x), module)


def _in_defined_order(found, module):
    names = [name for name, _ in module.named_modules()]
    return sorted(found, key=lambda pair: names.index(pair[0]))


def _of_inputs(module, x):
    hooks, found = [], []
    for name, part in module.named_modules():
        hook = lambda _, inputs, output, name=name: found.append((name, _shape(inputs)))  # noqa: E731
        hooks.append(part.register_forward_hook(hook))
    module(x)
    for hook in hooks:
        hook.remove()
    return found


def _children_only(module, x):
    names = [name for name, _ in module.named_children()]
    return [pair for pair in trace_shapes(module, x) if pair[0] in names]


def _replaces(module, x):
    hooks, found = [], []
    for name, part in module.named_modules():
        record = _recorder(found, name)
        hook = lambda *args, record=record: record(*args) or _first(args[2])  # noqa: E731
        hooks.append(part.register_forward_hook(hook))
    try:
        module(x)
    finally:
        for hook in hooks:
            hook.remove()
    return found


def _evaluates(module, x):
    module.eval()
    return trace_shapes(module, x)


def _swallows(module, x):
    try:
        return trace_shapes(module, x)
    except ValueError:
        return []


def _without_remove(module, x):
    found = []
    for name, part in module.named_modules():
        part.register_forward_hook(_recorder(found, name))
    module(x)
    return found


def _without_finally(module, x):
    found = []
    named = module.named_modules()
    hooks = [part.register_forward_hook(_recorder(found, name)) for name, part in named]
    module(x)
    for hook in hooks:
        hook.remove()
    return found


def _clears(module, x):
    try:
        return _without_remove(module, x)
    finally:
        for part in module.modules():
            part._forward_hooks.clear()


EXERCISE = Exercise(
    reference=trace_shapes,
    returns={"your answer": "pairs of a name and a shape"},
    kind="shapes",
    properties=(
        Property("each part has its name, and the shape of its output", 2, chains),
        Property("of several outputs it takes the first", 1, a_head),
        Property("the list follows what ran, in the order in which it ended", 1, branches),
        Property(
            "the module runs once and is as before, after an error too, which reaches the caller",
            1,
            judge=_what_stays,
        ),
    ),
    mistakes=(
        MISTAKES,
        Mistake("hooks_left", LEFT, _without_remove),
        Mistake("hooks_left_after_error", LEFT_AFTER_ERROR, _without_finally),
        Mistake("removes_others", REMOVED_OTHERS, _clears),
        Mistake("mode_changed", MODE, _evaluates),
        Mistake("error_swallowed", SWALLOWED, _swallows),
        MORE_MISTAKES,
        Mistake("runs_twice", RUNS_TWICE, _run_before),
    ),
)
