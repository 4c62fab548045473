"""Answers in ``tests/answers`` to the exercises of a few topics: each is what it says of itself.

`make bench-checks` judges those of all topics, and counts: there a mistake may stay without its
name. Here each named one must be called so, and each right one must pass.
"""

import importlib.util
import sys
from functools import cache

import pytest

from exercises.sources import TOPIC_OF
from notebook_files import ROOT

SEEDS = 1
TRIED = ("bounded_memory", "heads_across_devices")  # topics


def _load_bench():
    spec = importlib.util.spec_from_file_location("bench", ROOT / "benchmarks" / "checks.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench"] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


bench = _load_bench()
FILES = [
    path
    for name, topic in TOPIC_OF.items()
    if topic in TRIED
    for path in sorted((bench.ANSWERS / name).glob("*.py"))
]


@cache
def shipped():
    """Every answer by its file, of all topics; it fails where one does not say what it is."""
    return {answer.path: answer for answer in bench.read_answers(bench.ANSWERS)}


@pytest.mark.parametrize("topic", TRIED)
def test_every_exercise_has_answers_of_both_kinds(topic):
    for name in (name for name, of in TOPIC_OF.items() if of == topic):
        own = [answer for answer in shipped().values() if answer.exercise == name]
        assert sum(answer.is_right for answer in own) >= 2, name
        assert sum(bool(answer.names) for answer in own) >= 6, name


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_answer_is_what_it_says_of_itself(path):
    answer = shipped()[path]
    found = bench.faults(answer, bench.judge(path, SEEDS))
    if not answer.names:  # this file expects no name
        del found["not named"]
    assert not any(found.values()), found
