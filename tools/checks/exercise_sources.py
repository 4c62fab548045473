"""The solutions in the notebooks, and what an exercise is made of."""

import ast
import dis
import inspect
import itertools
import math
import sys
import textwrap
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import torch
from torch import nn

import course_checks as checks
from course_checks.judge.engine import Judge
from course_lib import SingleHead
from tools.checks.shipped_answers import Answer, answers_to, other_inputs
from tools.notebooks.notebook_files import ROOT, find_notebooks, read_notebook

TOPIC_OF = {
    path.stem: path.parent.name for path in checks.FOLDER.glob("*/*.py") if path.stem in checks.ALL
}
TOPICS = tuple(sorted(set(TOPIC_OF.values())))


@lru_cache(maxsize=256)  # every exercise with one seed: several files judge with the same
def judge_of(name: str, seed: int) -> Judge:
    """One judge for all answers to exercise ``name`` with this seed: it makes its inputs once."""
    return Judge(checks.ALL[name].exercise, seed)


@cache
def answers_of(name: str) -> dict[str, Answer]:
    """The answers that stand beside exercise ``name``, by their names."""
    return {answer.name: answer for answer in answers_to(name)}


# The class of an earlier lesson on which a later answer is built, which students paste above it.
PASTED = {"MyHeads": "MyHead"}


@cache
def solution_sources() -> dict[str, tuple[str, Path]]:
    """{function: (its source, its notebook)} of every solution in ``solutions/``."""
    solutions: dict[str, tuple[str, Path]] = {}
    for path, sources in code_cells("solutions").items():
        for source in sources:
            if "### BEGIN SOLUTION" in source:
                for node in ast.parse(source).body:
                    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                        # A class that is pasted into a later lesson belongs to the earlier one.
                        solutions.setdefault(node.name, (ast.unparse(node), path))
    return solutions


@cache
def code_cells(folder: str) -> dict[Path, list[str]]:
    return {
        path: [cell.source for cell in read_notebook(path).cells if cell.cell_type == "code"]
        for path in find_notebooks(ROOT, (folder,))
    }


def define(source: str, name: str, names: dict | None = None) -> Callable:
    """The function ``name`` of ``source``, which sees ``names`` or the notebooks' imports."""
    imports: dict[str, Any] = {"math": math, "torch": torch, "nn": nn, "SingleHead": SingleHead}
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
    """The source of one statement without its layout and comments; of a function or class also
    without its name and docstring."""
    (statement,) = ast.parse(source).body
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        if ast.get_docstring(statement) is not None:
            statement.body = statement.body[1:]
        statement.name = ""
    return ast.unparse(statement)


def codes_in(function: FunctionType) -> list[CodeType]:
    """The code of a function, and of the functions and classes in it."""
    codes = [function.__code__]
    for code in codes:  # which grows
        codes += [part for part in code.co_consts if isinstance(part, CodeType)]
    return codes


def globals_read(function: FunctionType) -> set[str]:
    """The global names that a function reads."""
    every = [i for code in codes_in(function) for i in dis.get_instructions(code)]
    return {i.argval for i in every if i.opname == "LOAD_GLOBAL"}


LEAST_MISTAKES, LEAST_RIGHT, LEAST_WRONG = 6, 2, 3


def missing(name: str) -> list[str]:
    """What an exercise needs and does not have yet, in the order in which one makes it."""
    exercise, file = checks.ALL[name].exercise, f"course_checks/exercises/{TOPIC_OF[name]}/{name}"
    written = answers_of(name).values()
    right = sum(answer.is_right for answer in written)
    wrong, mistakes = len(written) - right, len(exercise.mistakes)
    has = {
        f"{file}.py has {LEAST_MISTAKES} mistakes; so far {mistakes}": mistakes >= LEAST_MISTAKES,
        f"{file}_answers.py has {LEAST_RIGHT} right answers; so far {right}": right >= LEAST_RIGHT,
        f"{file}_answers.py has {LEAST_WRONG} wrong answers; so far {wrong}": wrong >= LEAST_WRONG,
        f"{file}_answers.py has other_inputs(generator)": other_inputs(name) is not None,
        f"a solution cell in solutions/{exercise.lesson}_... defines {name}": (
            name in solution_sources()
        ),
        f"a check cell behind it calls checks.{name}({name})": _is_checked(name, "solutions"),
        f"exercises/{exercise.lesson}_... has its cells: run `make exercises`": (
            _is_checked(name, "exercises")
        ),
    }
    return [part for part, is_there in has.items() if not is_there]


def _is_checked(name: str, folder: str) -> bool:
    cells = (source for sources in code_cells(folder).values() for source in sources)
    return any(f"checks.{name}({name}" in source for source in cells)


# Those that are whole, in the order of the lessons; test_form.py tells what the others lack.
EXERCISES = {name: check.exercise for name, check in checks.ALL.items() if not missing(name)}
