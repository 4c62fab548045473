"""Lesson 04, exercise 8: the shapes inside a module, seen through forward hooks."""

import torch
from torch import nn

from course_checks.exercise import Exercise, Property
from course_checks.exercises.heads_in_one_matrix.traced_modules import (
    Kept,
    Raises,
    a_head,
    branches,
    chains,
)
from course_checks.judge.calling import call


def trace_shapes(module, x):
    hooks, shapes = [], []
    try:
        for name, part in module.named_modules():
            hooks.append(part.register_forward_hook(_recorder(shapes, name)))
        module(x)
    finally:
        for hook in hooks:
            hook.remove()
    return shapes


MISTAKES = """
children_only: named_modules -> named_children
    You hang hooks on named_children(): that leaves out the whole module, and the children of
    children. named_modules() gives all of them.
output_replaced: _recorder(shapes, name) -> \
        (lambda *args, name=name: _recorder(shapes, name)(*args) or _first(args[2]))
    Your hook returns something, and PyTorch takes that for the part's output: the parts that follow
    compute with it. A hook that only watches returns None.
innermost_only: return shapes -> return [pair for pair in shapes if not \
        list(module.get_submodule(pair[0]).children())]
    You list only parts that have no parts of their own. The others have an output too.
whole_missing: return shapes -> return [pair for pair in shapes if pair[0]]
    Your list lacks the module itself: its name is the empty string, as named_modules() gives it,
    and it comes last. If you have set its hook: module.forward(x) runs the code without the hooks,
    module(x) with them.
defined_order: return shapes -> names = [name for name, _ in module.named_modules()]; \
        return sorted(shapes, key=lambda pair: names.index(pair[0]))
    Your list is in the order in which the parts were defined. Let each hook add to the list when it
    is called: then the list has the order in which they ran.
twice_is_once: return shapes -> return list(dict(shapes).items())
    A part that runs twice is in your list once. A dictionary keeps one shape for each name; a list
    keeps every call.
inputs: _recorder(shapes, name) -> \
        (lambda part, inputs, output, name=name: _recorder(shapes, name)(part, output, inputs))
    Your shapes are those of the inputs. A forward hook is called with (module, inputs, output):
    take the third.
last_name: _recorder(shapes, name) -> (lambda *args: _recorder(shapes, name)(*args))
    All of your pairs have one name, the last. A function that is made in a loop looks the loop's
    variable up when it is called, and by then the loop has ended. Make the hook in a function of
    its own that takes the name.
hooks_left: hook.remove() -> pass
    {LEFT}
hooks_left_after_error: try: -> if True: && finally: -> if True:
    {LEFT_AFTER_ERROR}
removes_others: hook.remove() -> [part._forward_hooks.clear() for part in module.modules()]
    {REMOVED_OTHERS}
mode_changed: hooks, shapes = [], [] -> hooks, shapes = [], []; module.eval()
    {MODE}
error_swallowed: _swallows
    {SWALLOWED}
class_names: _recorder(shapes, name) -> _recorder(shapes, type(part).__name__)
    Your names are those of the classes. Two parts of one class would be called alike:
    named_modules() gives each part a name of its own.
last_part_of_name: _recorder(shapes, name) -> _recorder(shapes, name.split(".")[-1])
    You cut the names at their points. Parts of different parents would be called alike: keep the
    whole name that named_modules() gives.
first_of_a_tensor: _recorder(shapes, name) -> _recorder(shapes, name, lambda output: output[0])
    Your shapes lack their first number: output[0] of a tensor is its first entry. Take [0] only
    where the output is a tuple.
last_of_several: _recorder(shapes, name) -> _recorder(shapes, name, _last)
    Where a part returns several things you take the last. The first is asked for.
several_skipped: _recorder(shapes, name) -> (lambda *args, name=name: \
        None if isinstance(args[2], tuple) else _recorder(shapes, name)(*args))
    You leave out the parts that return several things. Take the shape of the first.
lists: return shapes -> return [(name, list(shape)) for name, shape in shapes]
    Your shapes are lists. A shape is a tuple: tuple(output.shape).
both_names: named_modules() -> named_modules(remove_duplicate=False)
    A part that stands in two places has two hooks of yours, so each of its calls is listed twice.
    named_modules() by itself names it once.
runs_twice: hooks, shapes = [], [] -> hooks, shapes = [], []; module(x)
    {RUNS_TWICE}
"""


def _first(output):
    return output[0] if isinstance(output, tuple) else output


def _recorder(shapes, name, first=_first):
    def record(module, inputs, output):
        shapes.append((name, tuple(first(output).shape)))

    return record


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


def _last(output):
    return output[-1] if isinstance(output, tuple) else output


def _swallows(module, x):
    try:
        return trace_shapes(module, x)
    except ValueError:
        return []


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
            measured_inside=True,
        ),
    ),
    mistakes=MISTAKES,
)
