"""Runs can be killed and continued, on one machine or many, and refuse to work unprotected."""

import json
import os
import re
import shutil
import signal
import sys
import warnings
import zipfile
from pathlib import Path
from unittest.mock import MagicMock

import nbformat
import pytest
from made_results import about_cell, rows
from nbgrader.api import Gradebook
from processes import command, command_of, descendants, kernels_of, still_running

from conftest import (
    POINTS,
    TOPIC,
    connect,
    grade_folder,
    hand_in,
    stored,
    with_cell,
    without_trials,
)
from course_checks.notebook.repair import CannotBeGraded
from grading import __main__ as program
from grading import grade_one, kernel, launch, sandbox
from grading.job import Job, Settings, Task
from grading.release import make_release, write_zip
from grading.report import merge
from grading.run import grade_all
from grading.submissions import Submission
from tools.notebooks.notebook_files import ROOT


@pytest.fixture
def small_class(tmp_path):
    """One right submission and many that cost no kernel."""
    folder = tmp_path / "in"
    hand_in(folder, "anna", without_trials(stored("solutions")))
    for number in range(4):
        (folder / f"empty{number}.ipynb").write_text("")
    return folder


def test_changed_submission_alone_is_graded_again(small_class, tmp_path, release):
    out = tmp_path / "out"
    graded = grade_folder(release, small_class, out, seed=None)
    assert graded["anna"].score == POINTS
    times = {path: path.stat().st_mtime_ns for path in out.glob("students/*/result.json")}
    hand_in(small_class, "empty3", without_trials(stored("exercises")))
    graded = grade_folder(release, small_class, out, seed=None)
    again = [path.parent.name for path, old in times.items() if path.stat().st_mtime_ns != old]
    assert again == ["empty3"]
    assert graded["empty3"].review == []
    (said,) = graded["empty2"].review
    assert said.startswith("could not be graded: empty2.ipynb: it is empty: ask for")
    # Where nothing is left to grade, no cluster is asked for.
    grade_all(release, small_class, out, MagicMock(side_effect=AssertionError))


def test_an_interrupted_run_leaves_its_tables_and_nothing_else(tmp_path):
    """Ctrl-C in a terminal reaches every process of the run."""
    folder, out = tmp_path / "in", tmp_path / "out"
    (folder / "anna.ipynb").parent.mkdir()
    (folder / "anna.ipynb").write_text("")
    hand_in(folder, "ben", with_cell(stored("solutions"), "import time; time.sleep(50)"))
    hand_in(folder, "cleo", stored("solutions"))
    one = ("--workers", 1)  # so that they are graded in their order
    run = command("grade", TOPIC, folder, "--out", out, *one, start_new_session=True)
    family = [*kernels_of(run), *descendants(run)]
    (workplace,) = {path for process in family for path in workplaces(process)}
    os.killpg(run.pid, signal.SIGINT)
    said, told = run.communicate(timeout=200)
    assert run.returncode == 130
    assert "Traceback" not in said + told, told
    assert "Stopped" in told and "1 graded" in said
    assert [row["student"] for row in rows(out / "scores.csv")] == ["anna"]
    assert still_running(family) == []
    assert not workplace.exists()
    assert sorted(path.name for path in (out / "students").iterdir()) == ["anna"]


def workplaces(process):
    """The temporary folders of runs that a process was told of."""
    found = [re.match(r"/tmp/grade-[^/]+", part) for part in command_of(process)]
    return [Path(match[0]) for match in found if match]


def test_folders_that_hold_one_another_are_refused(small_class, release):
    """A student's files must not pass for results; in F5 they did."""
    for out in (small_class.parent, small_class, small_class / "out"):
        with pytest.raises(ValueError, match="must be apart"):
            grade_all(release, small_class, out, connect)
    assert not (small_class.parent / "students").exists()


def test_results_that_the_run_did_not_write_are_not_merged(small_class, tmp_path, release):
    (small_class / "anna.ipynb").write_text("")
    out = tmp_path / "out"
    grade_folder(release, small_class, out)
    honest = json.loads((out / "students" / "anna" / "result.json").read_text())
    for place in (
        "anna/result.json",
        "students/eve/files/result.json",
        "a/b/students/eve/result.json",
    ):
        forged = honest | {
            "student": "eve",
            "points": {name: [9.0, 9.0] for name in honest["points"]},
        }
        (out / place).parent.mkdir(parents=True)
        (out / place).write_text(json.dumps(forged))
    copied = out / "students" / "anna (copy)"
    shutil.copytree(out / "students" / "anna", copied)
    assert {result.student for result in merge(out, release)} == {
        *("anna", "empty0", "empty1", "empty2", "empty3")
    }
    # What is taken out of the folder is in no table, and back with it.
    (small_class / "anna.ipynb").rename(tmp_path / "kept")
    graded = grade_folder(release, small_class, out)
    assert "anna" not in graded.results
    assert "anna" not in {row["student"] for row in rows(out / "scores.csv")}
    with Gradebook(f"sqlite:///{out / 'gradebook.db'}", "attention") as gradebook:
        assert len(gradebook.assignment_submissions(TOPIC)) == 4
    (tmp_path / "kept").rename(small_class / "anna.ipynb")
    assert "anna" in grade_folder(release, small_class, out).results


def test_whatever_the_grader_stumbles_over_is_one_students_result(tmp_path, release, monkeypatch):
    """In the grader's own process: the rest of the class has no part in it."""
    submission = Submission("anna", {"anna.ipynb": nbformat.writes(stored("solutions")).encode()})
    job = Job(Settings(sandbox.Limits(), True, 5), Task(submission, "key", {}), release, tmp_path)

    def stumble(*_):
        raise KeyError("x")

    monkeypatch.setattr(grade_one, "repair", stumble)
    result = grade_one.grade(job).result
    assert result.review == [
        "could not be graded: the grader stumbled over it (KeyError): "
        "look at the notebook and grade it by hand"
    ]
    assert result.score == 0 and result.max_score == POINTS
    assert not any(cell.get("outputs") for cell in release.notebook.cells)  # as it was
    monkeypatch.setattr(grade_one, "repair", MagicMock(side_effect=CannotBeGraded("it is empty")))
    monkeypatch.setattr(grade_one.Result, "unreadable", False)  # so that there is one to show
    monkeypatch.setattr(grade_one, "feedback_page", stumble)
    assert "could not be shown" in grade_one.grade(job).feedback


def test_a_grader_shows_no_warning_of_what_it_uses(monkeypatch):
    for name in ("signal", "resource", "logging"):  # what they set holds for the whole process
        monkeypatch.setattr(grade_one, name, MagicMock())
    monkeypatch.setattr(grade_one, "grade", lambda job: warnings.warn("nbgrader's", stacklevel=1))
    with warnings.catch_warnings(record=True) as shown:
        grade_one.grade_apart(MagicMock())
    assert shown == []


def test_without_bubblewrap_grading_refuses_and_says_what_to_install(small_class, tmp_path, capfd):
    tools = tmp_path / "tools"
    tools.mkdir()
    old, os.environ["PATH"] = os.environ["PATH"], str(tools)
    try:
        out = ["--out", str(tmp_path / "out"), "--workers", "1"]
        code = program.main(["grade", TOPIC, str(small_class), *out])
    finally:
        os.environ["PATH"] = old
    assert code == 2
    assert "apt-get install bubblewrap" in capfd.readouterr().err
    assert not list((tmp_path / "out").rglob("result.json"))


def test_sandbox_none_is_explicit_and_warns_on_every_line(tmp_path):
    hand_in(tmp_path / "in", "anna", with_cell(stored("solutions"), "import time; time.sleep(1e6)"))
    (tmp_path / "in" / "ben.ipynb").write_text("")
    arguments = ["--out", tmp_path / "out", "--workers", 1]
    arguments += ["--sandbox", "none", "--cell-seconds", 10]
    run = command("grade", TOPIC, tmp_path / "in", *arguments)
    out, err = run.communicate(timeout=300)
    assert run.returncode == 0, err
    err = err.replace(re.findall("Dask's dashboard: .*", err)[0], "")
    lines = [line for line in (out + err).replace("\r", "\n").split("\n") if line.strip()]
    assert lines
    assert [line for line in lines if "NOT SANDBOXED" not in line] == []
    assert {row["student"]: row["score"] for row in rows(tmp_path / "out" / "scores.csv")} == {
        "anna": f"{POINTS:g}",
        "ben": "0",
    }
    assert "time-out" in rows(tmp_path / "out" / "review.csv")[0]["reasons"]


def test_assignment_is_a_zip_without_answers_or_hidden_tests(tmp_path):
    solutions = tmp_path / "solutions" / "99_small"
    notebook = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_code_cell(
                "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION",
                metadata=about_cell("double", True),
            ),
            nbformat.v4.new_code_cell(
                "assert double(1) == 2\n### BEGIN HIDDEN TESTS\nassert double(2.5) == 5\n"
                "### END HIDDEN TESTS",
                metadata=about_cell("check_double", False, 3),
            ),
        ]
    )
    hand_in(solutions, "99_small", notebook)
    (solutions / "data.csv").write_text("1,2")
    (tmp_path / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text())
    (tmp_path / "address.txt").write_text("https://example.org/course\n")
    path = tmp_path / "99_small.zip"
    write_zip("99_small", path, tmp_path)
    with zipfile.ZipFile(path) as archive:
        names = ["99_small.ipynb", "README.md", "data.csv"]
        assert sorted(archive.namelist()) == [f"99_small/{name}" for name in names]
        readme = archive.read("99_small/README.md").decode()
        assert readme.count("pip install") == 1 and "git+https://example.org/course" in readme
        text = archive.read("99_small/99_small.ipynb").decode()
    assert "2 * x" not in text and "2.5" not in text and "double(1) == 2" in text

    (tmp_path / "work").mkdir()
    release = make_release("99_small", tmp_path / "work", tmp_path)
    for name, answer in {"right": "2 * x", "sly": "2", "stderr": "noise() or 2 * x"}.items():
        student = nbformat.reads(text, as_version=4)
        student.cells[0].source = (
            f"def double(x):\n    return {answer}\n\n"
            "def noise():\n    import sys; print('noise', file=sys.stderr)"
        )
        hand_in(tmp_path / "in", name, student)
    graded = grade_folder(release, tmp_path / "in", tmp_path / "out")
    assert {name: result.score for name, result in graded.results.items()} == {
        "right": 3,
        "sly": 0,  # passes the visible test only
        "stderr": 3,  # stock nbgrader gives 0 for any text on stderr
    }


def test_unknown_assignment_is_named(capfd, tmp_path):
    assert program.main(["grade", "99_none", str(tmp_path)]) == 2
    assert TOPIC in capfd.readouterr().err


def test_ctrl_c_ends_a_command_in_a_word(monkeypatch, capfd):
    monkeypatch.setattr(program, "write_zip", MagicMock(side_effect=KeyboardInterrupt))
    assert program.main(["assignment", TOPIC]) == 130
    assert capfd.readouterr().err == "\nStopped.\n"


def test_the_kernel_imports_beforehand_what_the_release_imports(release, release_of):
    assert launch.IMPORTS == kernel.IMPORTS
    first, second = (
        launch.environment_of(one_release.notebook)[kernel.IMPORTS]
        for one_release in (release, release_of("12_fast_attention"))
    )
    assert "course_lib.figures:attention_heatmap" in first
    assert second.startswith("cloudpickle:loads course_checks:ALL")
    assert "course_lib.figures:attention_heatmap" not in second


def test_the_kernel_as_an_ordinary_user_needs_no_second_sandbox(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox.os, "getuid", lambda: 1000)
    command = sandbox.kernel_command(sandbox.Limits(), tmp_path, sandbox=True)
    assert command[:2] == ["env", "-i"]
    assert sum(part.endswith("bwrap") for part in command) == 1
    for option in ("--unshare-all", "--die-with-parent", "--new-session", "--clearenv"):
        assert option in command
    assert "setpriv" not in " ".join(command)


def test_a_python_below_tmp_is_bound_again_after_the_empty_tmp(monkeypatch, tmp_path):
    """A checkout may lie in /tmp, which the sandbox replaces by an empty one."""
    monkeypatch.setattr(sys, "prefix", "/tmp/course/.venv")
    command = sandbox.kernel_command(sandbox.Limits(), tmp_path, sandbox=True)
    empty_tmp = max(i for i in range(len(command)) if command[i : i + 2] == ["--tmpfs", "/tmp"])
    bound_again = command[empty_tmp : command.index("--chdir")]
    place = bound_again.index("/tmp/course/.venv")
    assert bound_again[place - 1 : place + 2] == ["--ro-bind", *["/tmp/course/.venv"] * 2]
