"""What other services run, and exercises that only the instructor has."""

import csv
import html
import json
import os
import subprocess
import sys
import zipfile

import nbformat
import pytest
import yaml

from conftest import POINTS, TOPIC, stored
from tools.notebooks.notebook_files import ROOT, read_notebook

EXAMPLE = ROOT / "docs" / "variants"
SECRETS = [
    line.strip()
    for line in (EXAMPLE / "centre.py").read_text(encoding="utf-8").splitlines()
    if len(line.strip()) > 20 and not line.startswith(("from ", "import "))
]
# Shows whatever the process holds of the exercise, and every file that is called like it.
THEFT = """import gc, inspect, os, sys
    for place in {*sys.path, os.environ.get("COURSE_VARIANTS", "/")} - {""}:
        for folder, _, names in os.walk(place):
            for name in names:
                if name == "centre.py":
                    raise ValueError(open(os.path.join(folder, name)).read())
    for thing in gc.get_objects():
        if inspect.isfunction(thing) and thing.__name__ == "centre" and thing is not centre:
            raise ValueError(inspect.getsource(thing))
    raise ValueError("looked through")"""
DOCUMENTED = {"score", "execution_time", "output", "visibility", "stdout_visibility"}
DOCUMENTED |= {"extra_data", "tests"}


def run(command, **environment):
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def with_one_mistake():
    notebook = stored("solutions")
    answer = next(cell for cell in notebook.cells if "def scaled_scores" in cell.source)
    answer.source = answer.source.replace(" / math.sqrt(query.shape[-1])", "")
    return notebook


@pytest.fixture(scope="module")
def gradescope(tmp_path_factory):
    """The zip is unpacked and run as Gradescope does: source, submission, results below a root."""
    tmp_path = tmp_path_factory.mktemp("gradescope")
    run([sys.executable, "-m", "grading", "gradescope", TOPIC, "--out", tmp_path / "auto.zip"])
    root = tmp_path / "autograder"
    with zipfile.ZipFile(tmp_path / "auto.zip") as archive:
        assert {"setup.sh", "run_autograder"} <= set(archive.namelist())  # and in no folder
        assert not [name for name in archive.namelist() if "tests/" in name or ".venv" in name]
        archive.extractall(root / "source")
    subprocess.run(["sh", "-n", root / "source" / "setup.sh"], check=True)
    (root / "submission").mkdir()
    nbformat.write(with_one_mistake(), root / "submission" / f"{TOPIC}.ipynb")
    about = {"users": [{"name": "Anna Ahn"}, {"name": "Ben Bo"}]}
    (root / "submission_metadata.json").write_text(json.dumps(about))
    (root / "venv" / "bin").mkdir(parents=True)
    (root / "venv" / "bin" / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (root / "venv" / "bin" / "python").chmod(0o755)
    run(["sh", root / "source" / "run_autograder"], AUTOGRADER=str(root))
    return root


def test_results_for_gradescope_are_as_it_documents_them(gradescope):
    results = json.loads((gradescope / "results" / "results.json").read_text())
    assert set(results) == DOCUMENTED
    assert results["visibility"] == "visible" and results["stdout_visibility"] == "hidden"
    for test in results["tests"]:
        assert set(test) == {"name", "score", "max_score", "output", "visibility"}
        assert 0 <= test["score"] <= test["max_score"]
    lost = [test for test in results["tests"] if test["score"] < test["max_score"]]
    assert [test["name"] for test in lost] == ["Exercise 2 · The scale"]
    assert "not divided by sqrt" in lost[0]["output"] and "no scale" in lost[0]["output"]
    assert sum(test["max_score"] for test in results["tests"]) == POINTS
    assert results["score"] == sum(test["score"] for test in results["tests"])
    assert results["extra_data"]["student"] == "Anna Ahn and Ben Bo"


def test_github_classroom(gradescope, tmp_path):
    """The step of the workflow that grades, as a script; what it calls is what Gradescope calls."""
    template = ROOT / "grading" / "templates" / "classroom.yml"
    workflow = yaml.safe_load(template.read_text())
    steps = {step.get("name"): step for step in workflow["jobs"]["grade"]["steps"]}
    course = tmp_path / "course"
    python = course / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'''#!/bin/sh
[ "$*" = "-m grading alone {TOPIC} ../submission --out ../results" ] || exit 1
cp -r "{gradescope}/results" ../results
''')
    python.chmod(0o755)
    sudo = tmp_path / "bin" / "sudo"
    sudo.parent.mkdir()
    sudo.write_text('#!/bin/sh\nshift\nexec "$@"\n')
    sudo.chmod(0o755)
    environment = workflow["env"] | {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}
    environment["PATH"] = f"{sudo.parent}:{os.environ['PATH']}"
    script = ["bash", "-e", "-c", steps["grade"]["run"]]
    subprocess.run(script, cwd=course, env=os.environ | environment, check=True)
    summary = (tmp_path / "summary").read_text()
    assert f"# {TOPIC}: {POINTS - 6:g} of {POINTS:g} points" in summary
    assert "| Exercise 2 · The scale | 0 of 6 | no scale." in summary
    kept = workflow["jobs"]["grade"]["steps"][-1]["with"]["path"]
    assert "<title>" in (tmp_path / kept).read_text()


@pytest.fixture(scope="module")
def of_the_example(tmp_path_factory):
    """The example of the docs, handed out and graded: right, with a mistake, and a thief."""
    folder = tmp_path_factory.mktemp("variants")
    python, variants = [sys.executable, "-m", "grading"], {"COURSE_VARIANTS": str(EXAMPLE)}
    published = "import grading.release as r, grading.__main__ as m; r.UNPUBLISHED = ''; m.main"
    arguments = ["assignment", "99_centre", "--out", str(folder / "class.zip")]
    run([sys.executable, "-c", f"{published}({arguments!r})"], **variants)
    with zipfile.ZipFile(folder / "class.zip") as archive:
        archive.extractall(folder)
    handed_out = read_notebook(folder / "99_centre" / "99_centre.ipynb")
    (folder / "in").mkdir()
    for student, answer in (
        ("anna", "return key - key.mean(-2, keepdim=True)"),
        ("ben", "return key - key.mean(-1, keepdim=True)"),
        ("thief", THEFT),
    ):
        notebook = nbformat.from_dict(handed_out)
        cell = next(cell for cell in notebook.cells if cell.id == "centre")
        cell.source = f"def centre(key):\n    {answer}"
        nbformat.write(notebook, folder / "in" / f"{student}.ipynb")
    arguments = ["99_centre", folder / "in", "--out", folder / "out", "--workers", "1"]
    run([*python, "grade", *arguments], **variants)
    return folder, "\n".join(cell.source for cell in handed_out.cells)


def test_the_example_is_the_exercise_that_contributing_shows():
    shown = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code = (EXAMPLE / "centre.py").read_text(encoding="utf-8")
    assert f"```python\n{code}```" in shown


def test_students_get_no_reference_of_a_variant(of_the_example):
    _, handed_out = of_the_example
    assert "centre(torch.tensor(" in handed_out and "checks" not in handed_out
    assert "key.mean" not in handed_out


def test_a_variant_is_graded_and_its_mistakes_are_named(of_the_example):
    folder, _ = of_the_example
    with open(folder / "out" / "scores.csv", newline="") as file:
        scores = {row["student"]: row["score"] for row in csv.DictReader(file)}
    assert scores == {"anna": "4", "ben": "0", "thief": "0"}
    assert "over features" in (folder / "out" / "mistakes.csv").read_text()
    review = (folder / "out" / "review.csv").read_text()
    assert "anna" not in review and "ben" not in review


def test_a_variant_stays_private(of_the_example):
    folder, _ = of_the_example
    feedback = (folder / "out" / "students" / "thief" / "feedback.html").read_text()
    assert "looked through" in feedback
    assert not [line for line in SECRETS if html.escape(line) in feedback]
