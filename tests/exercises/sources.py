"""The solutions in the notebooks, and what the tests know of each exercise by its topic."""

import ast
import inspect
import itertools
import math
import sys
import textwrap
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import nbformat
import torch
from torch import nn

import course_checks as checks
from course_checks.exercise import Exercise
from course_checks.judge.engine import Judge
from course_lib import SingleHead

ROOT = Path(__file__).parents[2]
# Of each exercise that has a module, also while something else of it is missing.
TOPIC_OF = {
    path.stem: path.parent.name
    for path in sorted(checks.FOLDER.glob("*/*.py"))
    if "\nEXERCISE = " in path.read_text(encoding="utf-8")
}
TOPICS = tuple(dict.fromkeys(TOPIC_OF.values()))


@lru_cache(maxsize=256)  # every exercise with one seed: several files judge with the same
def judge_of(name: str, seed: int) -> Judge:
    """One judge for all answers to exercise ``name`` with this seed: it makes its inputs once."""
    return Judge(EXERCISES[name], seed)


def of_topic(name: str, module: str) -> ModuleType:
    """``module`` in the folder of the topic to which exercise ``name`` belongs."""
    return import_module(f"exercises.{TOPIC_OF[name]}.{module}")


def right_answers(name: str) -> dict[str, Callable]:
    """Answers to exercise ``name`` written in other ways, by their names."""
    written = vars(of_topic(name, "right_answers")).items()
    return {key: f for key, f in written if key.startswith(name + "_") and callable(f)}


# The class of an earlier lesson on which a later answer is built, which students paste above it.
PASTED = {"MyHeads": "MyHead"}


@cache
def solution_sources() -> dict[str, tuple[str, Path]]:
    """{function: (its source, its notebook)} of every solution in ``solutions/``."""
    found = {}
    for path, sources in code_cells("solutions").items():
        for source in sources:
            if "### BEGIN SOLUTION" in source:
                for node in ast.parse(source).body:
                    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                        # A class that is pasted into a later lesson belongs to the earlier one.
                        found.setdefault(node.name, (ast.unparse(node), path))
    return found


@cache
def code_cells(folder: str) -> dict[Path, list[str]]:
    return {
        path: [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]
        for path in sorted((ROOT / folder).glob("*/*.ipynb"))
    }


def define(source: str, name: str, names: dict | None = None) -> Callable:
    """The function ``name`` of ``source``, which sees ``names`` or the notebooks' imports."""
    imports = {"math": math, "torch": torch, "nn": nn, "SingleHead": SingleHead}
    imports |= {"combinations": itertools.combinations}
    if name in PASTED:
        imports[PASTED[name]] = define(solution_sources()[PASTED[name]][0], PASTED[name])
    space = imports if names is None else dict(names)
    exec(compile(source, "<solution>", "exec"), space)
    return space[name]


def source_of(function: Callable) -> str:
    return textwrap.dedent(inspect.getsource(function))


def names_around(function: Callable) -> dict:
    """The global names that a function or class of a module sees."""
    return vars(sys.modules[function.__module__])


def program_of(source: str) -> str:
    """The source of a function or class without its name, layout, comments and docstring."""
    (function,) = ast.parse(source).body
    if ast.get_docstring(function) is not None:
        function.body = function.body[1:]
    function.name = ""
    return ast.unparse(function)


LEAST_MISTAKES, LEAST_RIGHT = 6, 2


def exercise_of_module(name: str) -> Exercise:
    return import_module(f"course_checks.exercises.{TOPIC_OF[name]}.{name}").EXERCISE


def missing(name: str) -> list[str]:
    """What an exercise needs and does not have yet, in the order in which one makes it."""
    topic, exercise = TOPIC_OF[name], exercise_of_module(name)
    tests = f"tests/exercises/{topic}"
    folder = f"course_checks/exercises/{topic}"
    mistakes, right = len(exercise.mistakes), len(right_answers(name))
    inputs = of_topic(name, "edit_inputs").inputs(name, torch.Generator().manual_seed(0))
    has = {
        f"{folder}/{name}.py has {LEAST_MISTAKES} mistakes; so far {mistakes}": (
            mistakes >= LEAST_MISTAKES
        ),
        f"a solution cell in solutions/{exercise.lesson}_... defines {name}": (
            name in solution_sources()
        ),
        f"a check cell behind it calls checks.{name}({name})": _is_checked(name, "solutions"),
        f"{tests}/right_answers.py has {LEAST_RIGHT} functions {name}_...; so far {right}": (
            right >= LEAST_RIGHT
        ),
        f'{tests}/edit_inputs.py gives other inputs for "{name}"': any(True for _ in inputs),
        f"exercises/{exercise.lesson}_... has its cells: run `make exercises`": (
            _is_checked(name, "exercises")
        ),
        f"{folder}/{name}_answers.py has answers, right and wrong": (
            checks.FOLDER / topic / f"{name}_answers.py"
        ).exists(),
    }
    return [part for part, is_there in has.items() if not is_there]


def _is_checked(name: str, folder: str) -> bool:
    cells = (source for sources in code_cells(folder).values() for source in sources)
    return any(f"checks.{name}({name}" in source for source in cells)


# Those that are whole, in the order of the lessons; test_form.py tells what the others lack.
EXERCISES = {name: check.exercise for name, check in checks.ALL.items() if not missing(name)}
