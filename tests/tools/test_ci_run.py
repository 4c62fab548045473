""".ci/run runs every test, tells what each stage took and, at its end, what failed."""

import os
import runpy
import shutil
import subprocess

import pytest

from tools.notebooks.notebook_files import ROOT

STAGES = [
    "-j2 --output-sync=target widget-tools colab-env .venv/.installed-tests",
    "test",
    "-j2 --output-sync=target lint test-tools",
    "test-colab OTHER_CPU=1 FEW=1",
    "test-device FEW=1",
    "test-kernel",
    "test-browser",
    "test-grading",
]
# What `make` prints is longer than a screen, and its failures come last.
FAKE_MAKE = """#!/bin/sh
echo "$*" >> "$STAGES_RUN"
seq 500
if [ "$*" = "$FAILING" ]; then
    echo "FAILED tests/test_some.py::test_of_$*"
    exit 7
fi
"""


@pytest.fixture
def ci_run(tmp_path):
    """Return a function that runs .ci/run with a `make` that fails at one stage."""
    commands = {"make": FAKE_MAKE, "chromium": "#!/bin/sh\n", "bwrap": "#!/bin/sh\n"}
    for name, text in commands.items():
        command = tmp_path / "bin" / name
        command.parent.mkdir(exist_ok=True)
        command.write_text(text)
        command.chmod(0o755)
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci" / "run")
    log = tmp_path / "stages"

    def run(failing=""):
        path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
        variables = {"PATH": path, "STAGES_RUN": str(log), "FAILING": failing}
        done = subprocess.run(
            ["bash", tmp_path / ".ci" / "run"],
            env=os.environ | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, log.read_text().splitlines(), done.stdout.splitlines()

    return run


def test_all_stages_run_and_tell_their_seconds(ci_run):
    code, stages, lines = ci_run()
    assert (code, stages) == (0, STAGES)
    timings = lines[lines.index("Stages:") + 1 :]
    assert [line.split(maxsplit=2)[2] for line in timings] == [f"make {stage}" for stage in STAGES]
    assert all(line.split()[0].isdigit() for line in timings)


@pytest.mark.parametrize("failing", STAGES)
def test_a_stage_that_fails_ends_the_run_and_shows_what_failed(ci_run, failing):
    code, stages, lines = ci_run(failing)
    assert (code, stages) == (7, STAGES[: STAGES.index(failing) + 1])
    last = lines[-40:]
    assert any(line.startswith("FAILED") and line.endswith(failing) for line in last)
    assert last[-1].endswith(f"make {failing}  FAILED")
    assert len([line for line in last if " s  make " in line]) == len(stages)


def folders_of(stage):
    """The folders of tests that this stage hands to pytest; [None] for all that are not ignored."""
    command = ["make", "--dry-run", "VENV=no-such-venv", *stage.split()]
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    lines = done.stdout.replace("\\\n", " ").splitlines()
    return [
        next((word for word in line.split() if word.startswith(("tests/", "grading/"))), None)
        for line in lines
        if " -m pytest " in line
    ]


def test_each_file_of_tests_is_run_by_one_stage():
    ignored = runpy.run_path(str(ROOT / "conftest.py"))["collect_ignore"]
    folders = [folder for stage in STAGES for folder in folders_of(stage)]
    runs = {}
    files = [path for name in ("tests", "grading") for path in (ROOT / name).rglob("test_*.py")]
    for path in files:
        name = path.relative_to(ROOT)
        above = {parent.as_posix() for parent in name.parents}
        by_name = [folder for folder in folders if folder in above]
        with_all = folders.count(None) if above.isdisjoint(ignored) else 0
        runs[name.as_posix()] = len(by_name) + with_all
    assert len(runs) > 100
    assert {name: times for name, times in runs.items() if times != 1} == {}
