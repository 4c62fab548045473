"""Signs that a notebook manipulates its grading. They ask for eyes; they change no points.

`suspicious_code` reads the source. In the kernel, watch.py notes what reaches into the judge, by
whatever road, and probe.py is asked: are the checks, torch, the built-in functions and IPython's
machinery still the ones from before? A notebook that is determined to cheat can get past all three;
see docs/instructors.md.
"""

import ast
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from nbformat import NotebookNode

from grading.cells import python_tree

PROTECTED = {"builtins", "checks", "course_lib", "IPython", "ipykernel", "math", "numpy", "torch"}
# Settings that students do set by assignment.
SETTINGS = {"backends", "_dynamo", "_inductor", "ast_node_interactivity"}
# What leads from a function to what it can see, and says nothing to an audit hook.
INSIDES = {"__globals__", "__closure__", "__subclasses__"}
PLAIN_NAMES = {  # which students do give to functions
    *("__name__", "__doc__", "__qualname__", "__annotations__", "__signature__", "__wrapped__")
}
CHECKS = ("course_lib.checks", "course_lib/checks")
VARIABLES = ("COURSE_SEED", "COURSE_EXPECT", "NBGRADER_EXECUTION")


def suspicious_code(notebook: NotebookNode, release: NotebookNode) -> list[str]:
    """What looks like tampering in the cells that are not the release's own."""
    given = {cell.source.strip() for cell in release.cells}
    found = []
    for number, cell in enumerate(notebook.cells):
        tree = python_tree(cell.source) if cell.cell_type == "code" else None
        if tree is None or cell.source.strip() in given:
            continue
        try:
            signs = list(dict.fromkeys(_signs(tree)))
        except RecursionError:
            signs = ["is nested too deep to be read"]
        found += [f"cell {number + 1} {sign}" for sign in signs]
    return found


def _signs(tree: ast.Module) -> Iterator[str]:
    modules = _modules(tree)
    compared = [one for one in ast.walk(tree) if isinstance(one, ast.Compare)]
    # "google.colab" in sys.modules is harmless.
    asked = {id(node) for one in compared for node in one.comparators}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names) if any(one.name.startswith(f"{CHECKS[0]}.") for one in names):
                yield "imports from course_lib.checks"
            case ast.ImportFrom(module=str(module)) if module.startswith(CHECKS):
                yield "imports from course_lib.checks"
            case ast.Attribute(ast.Name("sys"), "modules") if id(node) not in asked:
                yield "uses sys.modules"
            case ast.ImportFrom("sys", names) if any(alias.name == "modules" for alias in names):
                yield "uses sys.modules"
            case ast.Attribute(attr="exercise" | "EXERCISE" | "judge"):
                yield "looks into a check"
            case ast.Attribute(attr=name) if name in INSIDES:
                yield f"uses {name}"
            case ast.Attribute(ctx=ast.Store() | ast.Del()) if _touches(node, modules):
                yield f"changes {ast.unparse(node)}"
            case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
                if name.startswith("__") and name.endswith("__") and name not in PLAIN_NAMES:
                    yield f"changes {name} of something"
            case ast.Subscript(it, ctx=ast.Store() | ast.Del()) if _is_namespace(it, modules):
                yield f"changes {ast.unparse(it)}"
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[target, *_]):
                if _touches(target, modules):
                    yield f"changes {ast.unparse(target)}"
            case ast.Call(ast.Attribute(attr="run_cell_magic" | "run_line_magic"), [_, *args]):
                inner = [python_tree(one.value) for one in args if isinstance(one, ast.Constant)]
                yield from (sign for tree in inner if tree for sign in _signs(tree))
            case ast.Call(
                ast.Name("__import__" | "import_module") | ast.Attribute(attr="import_module"),
                [name, *_],
            ) if not isinstance(name, ast.Constant):
                yield "imports by a name that is put together"
            case ast.Constant(value=str() | bytes() as value):
                text = str(value)
                if any(name in text for name in VARIABLES):
                    yield "asks for the grader's settings"
                if any(name in text for name in CHECKS):
                    yield "names course_lib.checks"
                yield from (f"names {name}" for name in INSIDES if name in text)


def _modules(tree: ast.Module) -> set[str]:
    """The names in this cell that may stand for a protected module, or for something in it."""
    names = PROTECTED | {"np", "F", "nn", "__builtins__"}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                origin = f"{getattr(node, 'module', None) or ''}.{alias.name}".strip(".")
                parts = origin.split(".")
                if parts[0] in PROTECTED and not SETTINGS.intersection(parts):
                    names.add(alias.asname or alias.name)
    return names


def _touches(node: ast.AST, modules: set[str]) -> bool:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return isinstance(node, ast.Name) and node.id in modules and not SETTINGS.intersection(parts)


def _is_namespace(node: ast.AST, modules: set[str]) -> bool:
    """Whether it is vars(module) or module.__dict__."""
    match node:
        case ast.Call(ast.Name("vars"), [target]) | ast.Attribute(target, "__dict__"):
            return _touches(target, modules)
    return False


def cell_of_grader(function: str, *args: object) -> str:
    """A cell that shows what ``function`` of the module of that name returns.

    In a namespace of its own: the notebook may have called something list or id.
    """
    source = Path(__file__).with_name(f"{function}.py").read_text(encoding="utf-8")
    called = ", ".join(map(repr, args))
    return f"""import builtins as grader_builtins
grader_names = {{}}
grader_builtins.exec({source!r}, grader_names)
grader_names[{function!r}]({called})"""


def compare_probes(
    before: str,
    after: str,
    between: Iterable[tuple[str, str]] = (),
    cells: Mapping[int, str] | None = None,
) -> list[str]:
    """What changed in the kernel between two answers to the probe, and what was noted.

    ``between`` are the answers before check cells, with these: what was replaced there may have
    been put back. ``cells`` are the notebook's own by the number of their execution.
    """
    try:
        old, new = _read(before), _read(after)
        signs = [f"{name} was replaced" for name in _changed(old, new)[:5]]
        signs += [sign for sign in new["hooks"] if sign not in old["hooks"]]
        for check, answer in between:
            there = _read(answer)
            for name in _changed(old, there)[:5]:
                if not any(sign.startswith(f"{name} was replaced") for sign in signs):
                    signs.append(f"{name} was replaced before {check}")
            signs += [sign for sign in there["hooks"] if sign not in (*old["hooks"], *signs)]
        signs += [f"{cells[at]} {told}" for at, told in new["noted"] if cells and at in cells]
        return signs
    except (ValueError, SyntaxError, TypeError, KeyError):
        return ["the kernel does not answer the grader's questions"]


def _read(answer: str) -> dict:
    return json.loads(ast.literal_eval(answer))


def _changed(old: dict, new: dict) -> list[str]:
    """The objects of ``old`` that are others in ``new``, and new methods of tensors."""
    same = {} if new["whole"] else old["objects"]  # what was not asked for has not changed
    there = same | new["objects"]
    changed = [name for name, what in old["objects"].items() if there.get(name) != what]
    added = [name for name in new["objects"] if name not in old["objects"]]
    return changed + [name for name in added if name.startswith("torch.Tensor.")]
