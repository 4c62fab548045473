"""Signs that a notebook manipulates its grading. They ask for eyes; they change no points.

`suspicious_code` reads the source. The kernel is asked too (probe.py): are the checks, torch, the
built-in functions and IPython's machinery still the ones from before, and do the checks still give
a right and a wrong function the points that they give them here? A notebook that is determined to
cheat can get past both; see docs/instructors.md.
"""

import ast
import json
import secrets
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_lib import checks
from grading.cells import python_tree

PROTECTED = {"builtins", "checks", "course_lib", "IPython", "ipykernel", "math", "numpy", "torch"}
# Settings of torch that students do set by assignment.
HARMLESS_SETTINGS = {"backends"}
MACHINERY = {
    *("ast_transformers", "input_transformers_post", "input_transformers_cleanup"),
    *("showtraceback", "_showtraceback", "showsyntaxerror", "set_custom_exc", "custom_exceptions"),
    *("display_formatter", "displayhook", "display_pub", "for_type", "excepthook"),
    *("_getframe", "f_back", "f_locals", "f_globals", "currentframe", "tb_frame", "gi_frame"),
    *("__code__", "__globals__", "__closure__", "__builtins__", "__subclasses__"),
    *("settrace", "setprofile", "get_objects", "get_referrers", "user_ns", "user_global_ns"),
    *("__torch_function__", "__torch_dispatch__", "as_subclass", "_make_subclass"),
}
MODULES = {"builtins", "ctypes", "gc", "socket", "unittest.mock", "course_lib.checks"}
CALLS = {"exec", "eval", "compile", "__import__", "import_module", "exec_module"}
MAGICS = {"run_cell_magic", "run_line_magic"}
READERS = {"getattr", "hasattr", "attrgetter", "methodcaller", "getattr_static"}
PLAIN_NAMES = {"__name__", "__doc__", "__qualname__"}  # which students do give to functions
VARIABLES = ("COURSE_SEED", "COURSE_EXPECT", "NBGRADER_EXECUTION")
DRAWN = 2  # wrong functions for each question that is kept
WRONG_POINTS = "the checks no longer give the points that they should"


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
    for node in ast.walk(tree):
        if "checks" in _names_given(node):
            yield "gives the name checks to something else"
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
            case ast.Name(id="__builtins__"):
                yield "uses __builtins__"
            case (
                ast.Attribute(attr="exercise" | "EXERCISE")
                | ast.Attribute(attr="ALL", value=ast.Name(id="checks"))
            ):
                yield "looks into a check"
            case ast.Attribute(attr=name) | ast.FunctionDef(name=name) if name in MACHINERY:
                yield f"uses {name}"
            case ast.Attribute(ctx=ast.Store() | ast.Del()) if _touches(node, modules):
                yield f"changes {ast.unparse(node)}"
            case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
                if name.startswith("__") and name.endswith("__") and name not in PLAIN_NAMES:
                    yield f"changes {name} of something"
            case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
                if ast.unparse(value) == "sys.modules" or _is_namespace(value, modules):
                    yield f"changes {ast.unparse(value)}"
            case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[target, *_]):
                if _touches(target, modules) or _is_hidden(node.args[1:]):
                    yield f"changes {ast.unparse(target)}"
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in READERS:
                yield from _signs_of_reading(node.args)
            case ast.Call(func=ast.Attribute(attr=name), args=args) if name in MAGICS:
                for one in args[1:]:
                    inner = python_tree(_text(one))
                    yield from _signs(inner) if inner else ()
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in CALLS:
                if name not in ("eval", "compile") or isinstance(node.func, ast.Name):
                    yield f"calls {name}"
            case (
                ast.ClassDef(bases=bases)
                | ast.Call(func=ast.Name(id="type"), args=[_, ast.Tuple(elts=bases), *_])
            ):
                if any(ast.unparse(base).rpartition(".")[2] == "Tensor" for base in bases):
                    yield "makes a kind of tensor of its own"
            case ast.Constant(value=str(text)) if any(name in text for name in VARIABLES):
                yield "asks for the grader's settings"


def _names_given(node: ast.AST) -> Sequence[str | None]:
    """The names that a node gives to something, whichever of Python's ways it takes."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.ExceptHandler(name=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name):
            return [name]
        case ast.MatchMapping(rest=name) | ast.keyword(arg=name):
            return [name]
        case ast.Import(names) | ast.ImportFrom(names=names):
            from_course = getattr(node, "module", None) == "course_lib"
            own = [alias for alias in names if not (from_course and alias.name == "checks")]
            return [alias.asname or alias.name for alias in own]
        case ast.Dict(keys=keys):
            return [_text(key) for key in keys]
        case ast.Subscript(slice=ast.Constant(value=str(name)), ctx=ast.Store() | ast.Del()):
            return [name]
    return []


def _signs_of_reading(args: list[ast.expr]) -> Iterator[str]:
    """What looks like tampering in the arguments of getattr or of one of its kin."""
    for one in args:
        for name in _text(one).split("."):
            if name in ("exercise", "EXERCISE"):
                yield "looks into a check"
            if name in MACHINERY:
                yield f"uses {name}"
    if _is_hidden(args):
        yield "puts a name together from pieces"


def _text(node: ast.AST | None) -> str:
    """The text that a constant is, or ""."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return ""


def _is_hidden(args: list[ast.expr]) -> bool:
    """Whether one of the arguments is a sum of texts."""
    return any(
        isinstance(one, ast.BinOp) and isinstance(one.op, ast.Add) and _text(one.left) != ""
        for one in args
    )


def _modules(tree: ast.Module) -> set[str]:
    """The names in this cell that may stand for a protected module, or for something in it."""
    names = set(PROTECTED) | {"np", "F", "nn"}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                origin = f"{getattr(node, 'module', None) or ''}.{alias.name}".strip(".")
                if origin.partition(".")[0] in PROTECTED:
                    names.add(alias.asname or alias.name)
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


# A check, the number of a mutant or None for the right function, a seed, and the points for it.
Question = tuple[str, int | None, int, float]


def probe_source(questions: list[Question], *, whole: bool = True) -> str:
    """The cell that asks the kernel."""
    return cell_of_grader(PROBE, "probe", [question[:3] for question in questions], whole)


def cell_of_grader(source: str, function: str, *args: object) -> str:
    """A cell that shows what ``function`` of the module ``source`` returns.

    In a namespace of its own: the notebook may have called something list or id.
    """
    called = ", ".join(map(repr, args))
    return f"""import builtins as grader_builtins
grader_names = {{}}
grader_builtins.exec({source!r}, grader_names)
grader_names[{function!r}]({called})"""


@cache
def draw_questions(release: str) -> list[Question]:
    """For each check in the release: the right function and one wrong one, with fresh seeds.

    Nothing gets from one notebook to the next, so all of a class may be asked the same.
    """
    cells = nbformat.reads(release, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.metadata.get("nbgrader"))
    questions: list[Question] = []
    for name, check in checks.ALL.items():
        if f"checks.{name}(" in text:
            questions.append((name, None, secrets.randbelow(2**31), check.max_points))
            questions.append(_about_a_wrong_one(name))
    return questions


def _about_a_wrong_one(name: str) -> Question:
    """Of a few, the one that is answered soonest, since every kernel will be asked."""
    seconds: dict[Question, float] = {}
    for _ in range(DRAWN):
        mutant = secrets.randbelow(len(checks.ALL[name].exercise.mutants))
        seed, started = secrets.randbelow(2**31), time.process_time()
        question = (name, mutant, seed, _points(name, mutant, seed))
        seconds[question] = time.process_time() - started
    return min(seconds, key=lambda question: seconds[question])


def compare_probes(
    before: str,
    after: str,
    questions: list[Question],
    between: Iterable[tuple[str, str]] = (),
) -> list[str]:
    """What changed in the kernel between two answers to the probe.

    ``between`` holds the answers that were given before check cells, with the cells' grade_ids:
    what was replaced there may have been put back since.
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
        if new["points"] != [points for *_, points in questions]:
            signs.append(WRONG_POINTS)
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


def _points(name: str, mutant: int, seed: int) -> float:
    check = checks.ALL[name]
    return check(check.exercise.mutants[mutant].function, seed=seed).points
