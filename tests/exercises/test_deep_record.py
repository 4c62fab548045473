"""Every exercise was tested deeply as it is now: see tools/deep_checks.py."""

import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import deep_checks
from exercises.sources import EXERCISES
from notebook_files import ROOT

LEAST_SEEDS = 12


def number_of_tests(name):
    """How many tests of this exercise a deep run has."""
    count = 0
    for module in map(import_module, (f"exercises.{test}" for test in deep_checks.DEEP_TESTS)):
        for function in vars(module).values():
            for mark in getattr(function, "pytestmark", ()):
                firsts = [row if isinstance(row, str) else row[0] for row in mark.args[1]]
                count += firsts.count(name)
    return count


@pytest.fixture(scope="module")
def digests():
    return deep_checks.Snapshot().digests()


def lacks(name, row, digest):
    """What the record does not show of this exercise, or None."""
    if not row:
        return "it was never tested deeply"
    if row["digest"] != digest:
        return "it has changed since"
    if row["tests"] != number_of_tests(name) or row["edits"] < 4 or row["seeds"] < LEAST_SEEDS:
        return "not all tests were run"
    return None


@pytest.mark.parametrize("name", EXERCISES)
def test_nothing_has_changed_since_the_deep_run(name, digests):
    lacking = lacks(name, deep_checks.stored().get(name), digests[name])
    assert lacking is None, f"{lacking}; test it deeply: make deep X={name}"


def test_a_doctored_record_is_noticed(digests):
    digest = digests["weights_at"]
    row = {"digest": digest, "edits": 20, "seeds": 50, "tests": number_of_tests("weights_at")}
    assert lacks("weights_at", row, digest) is None
    for change in ({"digest": "0" * 16}, {"edits": 3}, {"tests": row["tests"] - 1}, {"seeds": 2}):
        assert lacks("weights_at", row | change, digest)
    assert lacks("weights_at", None, digest)


def test_the_record_holds_the_exercises_that_there_are(digests):
    assert list(deep_checks.stored()) == sorted(EXERCISES) == list(digests)


# --- what a deep run rests on ------------------------------------------------------------------


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The files of the course that a deep run reads."""
    root = tmp_path_factory.mktemp("course")
    for name in ("course_lib", "tests/exercises", "tests/answers", "tools", "solutions"):
        if (ROOT / name).exists():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, root / name, ignore=ignored)
    for name in ("pyproject.toml", "conftest.py"):
        shutil.copy(ROOT / name, root / name)
    return root


def edited(path: Path, old: str, new: str):
    """Replace the first ``old`` in a file; returns the text as it was."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return text


NOTEBOOK = "solutions/01_soft_lookup/01_soft_lookup.ipynb"
CHANGES = [
    # (file, old, new, whose deep run is due: all, none, one exercise, or several with one of them)
    ("course_lib/checks/judge/diagnose.py", "return ", "return not ", "all"),
    ("course_lib/checks/exercise.py", "points: int", "points: float", "all"),
    ("tests/exercises/test_marks.py", "seeds(2, 50)", "seeds(2, 49)", "all"),
    ("tools/edits_of_source.py", "plus for minus", "plus", "all"),
    ("course_lib/checks/soft_lookup/weights_at.py", "mutants=(", "mutants=() and (", "weights_at"),
    (NOTEBOOK, "def weights_at(", "def weights_at(*, ", "weights_at"),
    ("course_lib/masks.py", "def masked_softmax(", "def masked_softmax_(", "entropy_share, ..."),
    ("course_lib/checks/soft_lookup/weights_at.py", "mutants=(", "mutants = (", "none"),
    ("course_lib/figures.py", "def ", "def other_", "none"),
]


@pytest.mark.parametrize(("file", "old", "new", "whose"), CHANGES)
def test_a_run_is_due_where_what_it_rests_on_has_changed(copy, digests, file, old, new, whose):
    text = edited(copy / file, old, new)
    try:
        after = deep_checks.Snapshot(copy).digests()
    finally:
        (copy / file).write_text(text, encoding="utf-8")
    changed = {name for name in EXERCISES if digests[name] != after[name]}
    if whose == "all":
        assert changed == set(EXERCISES)
    elif "..." in whose:
        assert whose.partition(",")[0] in changed and changed < set(EXERCISES)
    else:
        assert changed == ({whose} - {"none"})


def test_a_run_that_fails_is_not_recorded(copy):
    """A mutant that is right is no mutant: the run fails, and its row goes."""
    module = copy / "course_lib" / "checks" / "many_heads" / "predict_row.py"
    text = module.read_text(encoding="utf-8")
    first = re.search(r"Mutant\(\s*\"(\w+)\"", text)[1]
    module.write_text(
        text + "\n\nimport dataclasses\n\n"
        "first = dataclasses.replace(EXERCISE.mutants[0], function=EXERCISE.reference)\n"
        "EXERCISE = dataclasses.replace(EXERCISE, mutants=(first, *EXERCISE.mutants[1:]))\n",
        encoding="utf-8",
    )
    command = [sys.executable, "tools/deep_checks.py", "predict_row", "--seeds", "2"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"predict_row-{first}" in done.stdout
    assert "predict_row" not in (copy / "tests/exercises/deep_record.json").read_text()
