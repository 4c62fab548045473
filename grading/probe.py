def probe(whole):
    """Runs in the student's kernel: before the first cell, before each check, after the last cell.

    Returns a JSON text: which objects the checks rest on, and which hooks are set. Only the grader
    reads it. Before a check, where `whole` is false, the exercises' own code is left out.
    """
    import builtins
    import json
    import math
    import os
    import sys

    import torch
    from IPython import get_ipython
    from torch.utils._python_dispatch import _get_current_dispatch_mode_stack

    from course_lib import checks

    def identity(thing):
        code = getattr(thing, "__code__", None)
        return f"{id(thing)} {id(code) if code is not None else ''}"

    modules = [builtins, math, torch, torch.nn.functional]
    ours = "course_lib.checks" if whole else "course_lib.checks.judge"
    modules += [module for name, module in sys.modules.items() if name.startswith(ours)]
    objects = {}
    for module in modules:
        for name, thing in list(vars(module).items()):
            hidden = name.startswith("_") and name not in ("__import__", "__build_class__")
            # The kernel sets input anew for each cell, torch sets Storage with the default dtype,
            # and wraps manual_seed when it loads its compiler, as the first optimiser does.
            replaced = name in ("input", "Storage", "manual_seed")
            if (hidden and module in modules[:4]) or replaced or not callable(thing):
                continue
            objects[f"{module.__name__}.{name}"] = identity(thing)
            of_course = isinstance(thing, type) and module.__name__.startswith("course_lib")
            if of_course or thing is torch.Tensor:
                for key, part in list(vars(thing).items()):
                    if callable(part) or isinstance(part, property):
                        objects[f"{module.__name__}.{name}.{key}"] = identity(part)

    def fields(thing):
        return [vars(thing).get(name) for name in getattr(thing, "__dataclass_fields__", ())]

    for name, check in checks.ALL.items():
        exercise = vars(check)["exercise"]
        parts = [check, *vars(check).values(), *fields(exercise)]
        parts += [part for item in exercise.properties for part in fields(item)]
        objects[f"checks.ALL.{name}"] = " ".join(str(id(part)) for part in parts)

    shell = get_ipython()
    hooks = [
        f"{name} of IPython is set"
        for name in ("showtraceback", "_showtraceback")
        if name in vars(shell)
    ]
    if shell.ast_transformers:
        hooks.append("a transformer of syntax trees is installed")
    if shell.custom_exceptions:
        hooks.append("a handler of exceptions is installed")
    formatter = shell.display_formatter.formatters["text/plain"]
    watched = [*shell.input_transformers_post, *shell.input_transformers_cleanup]
    watched += [hook for hooked in shell.events.callbacks.values() for hook in hooked]
    watched += [*formatter.type_printers.values(), *formatter.singleton_printers.values()]
    watched += [type(sys.displayhook), type(sys.stdout), sys.gettrace(), sys.getprofile()]
    watched += map(type, (shell, shell.display_formatter, shell.display_pub, formatter))
    watched = [getattr(hook, "func", hook) for hook in watched]  # of a functools.partial
    if any(getattr(hook, "__module__", None) == "__main__" for hook in watched):
        hooks.append("IPython's output goes through the notebook's own code")

    if shell.user_ns.get("checks", checks) is not checks:
        hooks.append("the name checks stands for something else")
    topics = os.path.dirname(checks.__file__)
    for name, thing in list(shell.user_ns.items()):
        inside = [thing, *(vars(thing).values() if isinstance(thing, type) else ())]
        files = [getattr(getattr(part, "__code__", None), "co_filename", "") for part in inside]
        where = {os.path.dirname(file) for file in files if file.startswith(topics)}
        if where - {topics, os.path.join(topics, "judge")}:
            hooks.append(f"{name} is the course's own answer")
    kinds = [torch.Tensor]
    for kind in kinds:
        kinds += type.__subclasses__(kind)
    if any(kind.__module__ == "__main__" for kind in kinds):
        hooks.append("it makes a kind of tensor of its own")
    modes = torch.overrides._get_current_function_mode_stack() + _get_current_dispatch_mode_stack()
    if any(type(mode).__module__ == "__main__" for mode in modes):
        hooks.append("torch's functions go through the notebook's own code")

    noted: list[tuple[int, str]] = []
    sys.audit("grader.noted", noted)
    return json.dumps({"objects": objects, "whole": whole, "hooks": hooks, "noted": noted})
