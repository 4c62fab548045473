"""The exercise that CONTRIBUTING writes out works as it stands; the tests say what it lacks."""

import importlib
import os
import re
import shutil
import subprocess
import sys

import pytest

from course_checks.judge.engine import judge
from tools.notebooks.notebook_files import ROOT


@pytest.fixture(scope="module")
def source():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return re.search(r"## Add an exercise.*?```python\n(.*?)```", text, re.DOTALL)[1]


def test_the_example_of_an_exercise_is_one(source, tmp_path, monkeypatch):
    (tmp_path / "written_out_exercise.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    exercise = importlib.import_module("written_out_exercise").EXERCISE
    for seed in range(20):
        assert judge(exercise, exercise.reference, seed).status == "pass"
        for mistake in exercise.mistakes:
            result = judge(exercise, mistake.function, seed)
            assert (result.status, result.diagnosis) == ("wrong", mistake.name), str(result)


BESIDE = "course_checks/exercises/single_head/centre_answers.py"
LACKS = f"""{BESIDE} has 2 right answers; so far 0
{BESIDE} has 3 wrong answers; so far 0
{BESIDE} has other_inputs(generator)
a solution cell in solutions/02_... defines centre
a check cell behind it calls checks.centre(centre)
exercises/02_... has its cells: run `make exercises`"""


@pytest.fixture(scope="module")
def copy(source, tmp_path_factory):
    """The course with the new module in it, and nothing else of the new exercise."""
    root = tmp_path_factory.mktemp("course")
    folders = "course_lib", "course_checks", "solutions", "exercises", "tests/exercises", "tools"
    for name in folders:
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "notebooks").symlink_to(ROOT / "notebooks")
    for name in ("pyproject.toml", "conftest.py", "README.md"):
        shutil.copy(ROOT / name, root / name)
    (root / "course_checks" / "exercises" / "single_head" / "centre.py").write_text(source)
    return root


def test_one_failure_lists_in_order_what_a_new_exercise_lacks(copy):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/exercises"]
    command += ["-k", "centre"]
    its_own = os.environ | {"PYTHONPATH": str(copy)}
    done = subprocess.run(command, cwd=copy, env=its_own, capture_output=True, text=True)
    listed = re.findall("^E +- (.*)$", done.stdout, re.MULTILINE)
    assert listed == LACKS.splitlines(), done.stdout + done.stderr
    assert re.findall("^FAILED .*::(.*?)(?: |$)", done.stdout, re.MULTILINE) == [
        "test_exercise_has_all_its_parts[centre]"
    ]
    assert " 1 failed" in done.stdout and "error" not in done.stdout.splitlines()[-1]
    assert "StopIteration" not in done.stdout
