"""What the source of a function says: loops in Python, arguments that are never used."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from types import FunctionType

from course_checks.judge.calling import is_library

LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def no_loop(function: Callable) -> tuple[str, str] | None:
    """(sentence, the line) where ``function`` loops, or a function of the notebook that it calls.

    None when there is no loop, and where there is no source to look at.
    """
    waiting, seen = [function], set()
    while waiting:
        current = waiting.pop()
        seen.add(current)
        source, tree = _parsed(current)
        for node in ast.walk(tree):
            called = _called_by_name(node)
            if isinstance(node, LOOPS) or (isinstance(node, ast.Call) and called == "map"):
                where = "" if current is function else f" in {current.__name__}, which it calls"
                text = (
                    f"Your function is right and still loops in Python{where}. One matrix product "
                    "makes all dot products at once, and a second one all averages."
                )
                return text, f"line {node.lineno}: {source.splitlines()[node.lineno - 1].strip()}"
            other = getattr(current, "__globals__", {}).get(called)
            if isinstance(other, FunctionType) and not (
                other in seen or is_library(other.__code__.co_filename)
            ):
                waiting.append(other)
    return None


def unused_arguments(function: Callable, optional: tuple[str, ...] = ()) -> list[str]:
    """The arguments that ``function`` never reads."""
    if isinstance(function, type):  # whose arguments may be read by any of its methods
        return []
    _, tree = _parsed(function)
    definition = next(
        (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))), None
    )
    if definition is None:
        return []
    read = {*optional} | {node.id for node in ast.walk(definition) if isinstance(node, ast.Name)}
    return [arg.arg for arg in definition.args.args if arg.arg not in read]


def _called_by_name(node: ast.AST) -> str:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id
    return ""


def _parsed(function: Callable) -> tuple[str, ast.AST]:
    """The source and its tree; both empty where there is none, as for some lambdas."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
        return source, ast.parse(source)
    except (OSError, TypeError, SyntaxError):
        return "", ast.Module(body=[], type_ignores=[])
