"""What the functions and classes of a package take where nothing is given."""

import importlib
import inspect
import pkgutil


def public_defaults(package):
    """Name of an argument -> default -> who has it; None, which says that nothing is given, not."""
    found = {}
    modules = [
        importlib.import_module(f"{package.__name__}.{module.name}")
        for module in pkgutil.iter_modules(package.__path__)
        if module.name != "__main__"
    ]
    for module in modules:
        for owner in vars(module).values():
            name = getattr(owner, "__name__", "_")
            if name.startswith("_") or getattr(owner, "__module__", None) != module.__name__:
                continue
            methods = vars(owner).values() if inspect.isclass(owner) else [owner]
            for function in map(inspect.unwrap, filter(inspect.isfunction, methods)):
                if function.__name__.startswith("_") and function.__name__ != "__init__":
                    continue
                for argument in inspect.signature(function).parameters.values():
                    if argument.default not in (None, argument.empty):
                        defaults = found.setdefault(argument.name, {})
                        defaults.setdefault(argument.default, set()).add(function.__qualname__)
    return found
