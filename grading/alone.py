"""Grade one submission by itself, where another service runs it: Gradescope, GitHub Classroom.

`python -m grading alone NAME FOLDER --out OUT` leaves three files in OUT: results.json, as
https://gradescope-autograders.readthedocs.io/en/latest/specs/ documents it, summary.md, which a
workflow shows, and feedback.html. `write_gradescope` packs the course for Gradescope.
"""

import json
import os
import secrets
import shutil
import tempfile
from pathlib import Path

import nbformat

import course_checks as checks
from course_checks.notebook.mistakes import mistakes_of
from grading.feedback import exercise_names
from grading.grade_one import grade_apart
from grading.job import Job, Settings, Task
from grading.platforms import person
from grading.release import about_checks, make_release
from grading.results import Graded
from grading.sandbox import Limits, NoSandbox, another_user, lay_out_door, require
from grading.submissions import read_submission
from tools.notebooks.notebook_files import ROOT

GRADESCOPE = Path(__file__).with_name("templates") / "gradescope"
PACKED = ("course_lib", "course_checks", "grading", "tools")
PACKED_FILES = (  # what else grading reads, and pip
    *("address.txt", "constraints.txt", "nbgrader_config.py", "pyproject.toml", "setup.py"),
    *("LICENSE", "LICENSE-text"),
)


def grade_alone(name: str, submission: Path, out: Path) -> list[str]:
    """Grade what lies in the folder ``submission``; return what its instructor should look at.

    Where no sandbox can be, the kernel runs as another user, who cannot read the judge's files; and
    where that cannot be either, as this one: such a service gives each submission its own machine.
    """
    with tempfile.TemporaryDirectory(prefix="g-", dir="/tmp") as folder:
        workplace = Path(folder)
        release = make_release(name, workplace / "release")
        (workplace / "k").mkdir()
        try:
            require(Limits(), workplace / "k")
            sandbox = True
        except NoSandbox:
            sandbox = False
        as_user = () if sandbox else another_user()
        if as_user:
            workplace.chmod(0o711)
            answers = [
                checks.FOLDER,
                ROOT / "solutions",
                ROOT / ".git",
                Path(checks.VARIANTS or "/-"),
            ]
            for place in (workplace / "release", *answers):
                if place.is_dir():
                    place.chmod(0o700)
        lay_out_door(workplace, about_checks())
        settings = Settings(Limits(), sandbox, secrets.randbelow(2**31), as_user)
        task = Task(read_submission(_student_names(submission), [submission]), "", {})
        graded = grade_apart(Job(settings, task, release, workplace))
    out.mkdir(parents=True, exist_ok=True)
    results = as_gradescope(graded, exercise_names(release.notebook))
    (out / "results.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    (out / "summary.md").write_text(_summary(name, results), encoding="utf-8")
    (out / "feedback.html").write_text(graded.feedback, encoding="utf-8", errors="replace")
    how = [] if sandbox else ["graded without a sandbox, as another user"]
    if not (sandbox or as_user):
        how = ["graded without a sandbox: the student's code could read the answers and the points"]
    return graded.result.review + how


def _student_names(submission: Path) -> str:
    """The students whom Gradescope names beside the submission, or the account that pushed."""
    about = submission.with_name("submission_metadata.json")
    users = json.loads(about.read_text(encoding="utf-8"))["users"] if about.exists() else []
    return " and ".join(user["name"] for user in users) or os.environ.get("GITHUB_ACTOR", "student")


def as_gradescope(graded: Graded, exercises: dict[str, str]) -> dict:
    """What results.json holds. An answer in words is no test: a person gives its points."""
    mistakes = mistakes_of(nbformat.reads(graded.notebook, as_version=4))
    result = graded.result
    tests = []
    for cell, (earned, possible) in result.points.items():
        if cell in result.by_hand:
            continue
        mistake = mistakes.get(cell)
        output = f"{mistake.name}. {mistake.sentence}".strip() if mistake else ""
        output = output or ("Right." if earned == possible else "The check stopped.")
        about = {"name": exercises.get(cell, cell), "score": earned, "max_score": possible}
        tests.append(about | {"output": output, "visibility": "visible"})
    waits = [f"A person grades {exercises.get(cell, cell)}." for cell in result.by_hand]
    return {
        "score": sum(test["score"] for test in tests),
        "execution_time": round(result.seconds),
        "output": "\n".join([*result.told, *waits]),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {"review": result.review, "student": person(result.student)},
        "tests": tests,
    }


def _summary(name: str, results: dict) -> str:
    most = sum(test["max_score"] for test in results["tests"])
    rows = []
    for test in results["tests"]:
        output = test["output"].replace("|", "\\|").replace("\n", " ")
        rows.append(f"| {test['name']} | {test['score']:g} of {test['max_score']:g} | {output} |")
    head = [f"# {name}: {results['score']:g} of {most:g} points", "", results["output"], ""]
    return "\n".join([*head, "| Exercise | Points | Said |", "| --- | --- | --- |", *rows, ""])


def write_gradescope(name: str, path: Path) -> None:
    """Write the zip that Gradescope takes as an autograder of the assignment ``name``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        place, skipped = Path(folder), shutil.ignore_patterns("__pycache__", "tests", ".*")
        for part in (*PACKED, f"solutions/{name}"):
            if (ROOT / part).exists():
                shutil.copytree(ROOT / part, place / part, ignore=skipped)
        for part in PACKED_FILES:
            shutil.copy(ROOT / part, place)
        if checks.VARIANTS:
            shutil.copytree(checks.VARIANTS, place / "variants", ignore=skipped)
        for script in GRADESCOPE.iterdir():
            text = script.read_text(encoding="utf-8").replace("ASSIGNMENT", name)
            (place / script.name).write_text(text, encoding="utf-8")
            (place / script.name).chmod(0o755)
        shutil.make_archive(str(path.with_suffix("")), "zip", place)
