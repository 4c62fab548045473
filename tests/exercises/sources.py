"""The solutions in the notebooks, and what the tests know of each exercise by its topic."""

import ast
import inspect
import itertools
import math
import os
import textwrap
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import nbformat
import torch
from torch import nn

from course_lib import SingleHead, checks
from course_lib.checks.judge.engine import Judge

SOLUTIONS = Path(__file__).parents[2] / "solutions"
EXERCISES = {name: check.exercise for name, check in checks.ALL.items()}
TOPIC_OF = {name: item.reference.__module__.split(".")[2] for name, item in EXERCISES.items()}
TOPICS = tuple(dict.fromkeys(TOPIC_OF.values()))

# `make deep` names exercises here: these alone are then tested, with many seeds instead of few.
DEEP = frozenset(filter(None, os.environ.get("COURSE_DEEP", "").split(",")))
MOST_SEEDS = int(os.environ.get("COURSE_DEEP_SEEDS", "50"))
CHECKED = {name: item for name, item in EXERCISES.items() if not DEEP or name in DEEP}


def seeds(few: int, many: int) -> range:
    """``few`` seeds in every run of the tests, ``many`` in a deep one (`make deep SEEDS=` cuts)."""
    return range(min(many, MOST_SEEDS) if DEEP else few)


@lru_cache(maxsize=16)  # the seeds of an exercise or two: its tests stand next to each other
def judge_of(name: str, seed: int) -> Judge:
    """One judge for all answers to exercise ``name`` with this seed: it makes its inputs once."""
    return Judge(EXERCISES[name], seed)


def of_topic(name: str, module: str) -> ModuleType:
    """``module`` in the folder of the topic to which exercise ``name`` belongs."""
    return import_module(f"exercises.{TOPIC_OF[name]}.{module}")


def right_answers(name: str) -> list[Callable]:
    """Answers to exercise ``name`` written in other ways, and torch's own where there is one."""
    written = vars(of_topic(name, "right_answers")).items()
    found = [f for key, f in written if key.startswith(name + "_") and callable(f)]
    own = {"stable_softmax": [lambda scores: torch.softmax(scores, dim=-1)]}
    return found + own.get(name, [])


def solution_sources() -> dict[str, tuple[str, Path]]:
    """{function: (its source, its notebook)} of every solution in ``solutions/``."""
    found = {}
    for path in sorted(SOLUTIONS.glob("*/*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code" and "### BEGIN SOLUTION" in cell.source:
                for node in ast.parse(cell.source).body:
                    if isinstance(node, ast.FunctionDef):
                        found[node.name] = (ast.unparse(node), path)
    return found


def define(source: str, name: str, names: dict | None = None) -> Callable:
    """The function ``name`` of ``source``, which sees ``names`` or the notebooks' imports."""
    imports = {"math": math, "torch": torch, "nn": nn, "SingleHead": SingleHead}
    imports |= {"combinations": itertools.combinations}
    space = imports if names is None else dict(names)
    exec(compile(source, "<solution>", "exec"), space)
    return space[name]


def source_of(function: Callable) -> str:
    return textwrap.dedent(inspect.getsource(function))


def program_of(source: str) -> str:
    """A function's source without its name, layout, comments and docstring."""
    (function,) = ast.parse(source).body
    if ast.get_docstring(function) is not None:
        function.body = function.body[1:]
    function.name = ""
    return ast.unparse(function)
