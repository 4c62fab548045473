"""Signs that a notebook manipulates its grading. They ask for eyes; they change no points.

`suspicious_code` reads the source. The kernel is asked too (probe.py): are the checks, torch, the
built-in functions and IPython's machinery still the ones from before, and do the checks still give
a right and a wrong function the points that they give them here? A notebook that is determined to
cheat can get past both; see README.
"""

import ast
import json
import secrets
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from course_lib import checks
from grading.repair import python_tree

PROTECTED = {"builtins", "checks", "course_lib", "IPython", "ipykernel", "math", "numpy", "torch"}
# Settings of torch that students do set by assignment.
HARMLESS_SETTINGS = {"backends"}
MACHINERY = {
    *("ast_transformers", "input_transformers_post", "input_transformers_cleanup"),
    *("showtraceback", "_showtraceback", "showsyntaxerror", "set_custom_exc", "custom_exceptions"),
    *("display_formatter", "displayhook", "display_pub", "for_type", "excepthook"),
    *("_getframe", "f_back", "f_locals", "f_globals", "currentframe", "tb_frame", "gi_frame"),
    *("__code__", "__globals__", "__closure__", "__builtins__", "__subclasses__"),
    *("settrace", "setprofile", "get_objects", "get_referrers"),
}
MODULES = {"builtins", "ctypes", "gc", "socket", "unittest.mock", "course_lib.checks"}
CALLS = {"exec", "eval", "compile", "__import__"}
VARIABLES = ("COURSE_SEED", "COURSE_EXPECT", "NBGRADER_EXECUTION")
WRONG_POINTS = "the checks no longer give the points that they should"


def suspicious_code(notebook: NotebookNode, release: NotebookNode) -> list[str]:
    """What looks like tampering in the cells that are not the release's own."""
    given = {cell.source.strip() for cell in release.cells}
    found = []
    for number, cell in enumerate(notebook.cells):
        tree = python_tree(cell.source) if cell.cell_type == "code" else None
        if tree is None or cell.source.strip() in given:
            continue
        found += [f"cell {number + 1} {sign}" for sign in dict.fromkeys(_signs(tree))]
    return found


def _signs(tree: ast.Module) -> Iterator[str]:
    modules = _modules(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Import(names):
                for alias in names:
                    if _is_below(alias.name, MODULES):
                        yield f"imports {alias.name}"
            case ast.ImportFrom(module=str(module), names=names):
                of_checks = module == "course_lib.checks" or _is_below(module, MODULES)
                from_mock = module == "unittest" and any(alias.name == "mock" for alias in names)
                if of_checks or from_mock:
                    yield f"imports from {module}"
                if any(alias.asname == "checks" or alias.name == "checks" for alias in names) and (
                    module != "course_lib"
                ):
                    yield "imports other checks"
            case ast.Name(id="checks", ctx=ast.Store() | ast.Del()):
                yield "gives the name checks to something else"
            case ast.FunctionDef(name="checks") | ast.ClassDef(name="checks"):
                yield "gives the name checks to something else"
            case ast.Name(id="__builtins__"):
                yield "uses __builtins__"
            case ast.Attribute(attr="exercise" | "EXERCISE"):
                yield "looks into a check"
            case ast.Attribute(attr=name) if name in MACHINERY:
                yield f"uses {name}"
            case ast.Attribute(ctx=ast.Store() | ast.Del()) if _touches(node, modules):
                yield f"changes {ast.unparse(node)}"
            case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
                if ast.unparse(value) == "sys.modules" or _is_namespace(value, modules):
                    yield f"changes {ast.unparse(value)}"
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[target, *_]):
                if _touches(target, modules):
                    yield f"changes {ast.unparse(target)}"
            case ast.Call(func=ast.Name(id=name)) if name in CALLS:
                yield f"calls {name}"
            case ast.Constant(value=str(text)) if any(name in text for name in VARIABLES):
                yield "asks for the grader's settings"


def _modules(tree: ast.Module) -> set[str]:
    """The names in this cell that may stand for a protected module."""
    names = set(PROTECTED) | {"np", "F", "nn"}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                origin = f"{getattr(node, 'module', None) or ''}.{alias.name}".strip(".")
                if origin.partition(".")[0] in PROTECTED and alias.asname:
                    names.add(alias.asname)
    return names


def _touches(node: ast.AST, modules: set[str]) -> bool:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return (
        isinstance(node, ast.Name)
        and node.id in modules
        and not (node.id == "torch" and parts[-1:] and parts[-1] in HARMLESS_SETTINGS)
    )


def _is_namespace(node: ast.AST, modules: set[str]) -> bool:
    """Whether it is vars(module), module.__dict__ or globals()."""
    match node:
        case ast.Call(func=ast.Name(id="globals"), args=[]):
            return True
        case ast.Call(func=ast.Name(id="vars"), args=[target]):
            return _touches(target, modules)
        case ast.Attribute(value=target, attr="__dict__"):
            return _touches(target, modules)
    return False


def _is_below(module: str, packages: set[str]) -> bool:
    return any(module == name or module.startswith(name + ".") for name in packages)


PROBE = Path(__file__).with_name("probe.py").read_text(encoding="utf-8")


def probe_source(questions: list[tuple[str, int | None, int]]) -> str:
    """The cell that asks the kernel; ``questions`` are (check, mutant or None, seed)."""
    # In a namespace of its own: the notebook may have called something list or id.
    return f"""import builtins as grader_builtins
grader_names = {{}}
grader_builtins.exec({PROBE!r}, grader_names)
grader_names["probe"]({questions!r})"""


def draw_questions(notebook: NotebookNode) -> list[tuple[str, int | None, int]]:
    """For each check in the notebook: the right function and one wrong one, with fresh seeds."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.metadata.get("nbgrader"))
    questions = []
    for name, check in checks.ALL.items():
        if f"checks.{name}(" in text:
            for mutant in (None, secrets.randbelow(len(check.exercise.mutants))):
                questions.append((name, mutant, secrets.randbelow(2**31)))
    return questions


def compare_probes(before: str, after: str, questions: list[tuple[str, int | None, int]]) -> list:
    """What changed in the kernel between two answers to the probe."""
    try:
        old, new = json.loads(ast.literal_eval(before)), json.loads(ast.literal_eval(after))
        changed = [name for name, what in old["objects"].items() if new["objects"][name] != what]
        signs = [f"{name} was replaced" for name in changed[:5]]
        signs += [sign for sign in new["hooks"] if sign not in old["hooks"]]
        wanted = [_points(*question) for question in questions]
        if new["points"] != wanted:
            signs.append(WRONG_POINTS)
        return signs
    except (ValueError, SyntaxError, TypeError, KeyError):
        return ["the kernel does not answer the grader's questions"]


def _points(name: str, mutant: int | None, seed: int) -> float:
    exercise = checks.ALL[name].exercise
    function = exercise.reference if mutant is None else exercise.mutants[mutant].function
    return checks.ALL[name](function, seed=seed).points
