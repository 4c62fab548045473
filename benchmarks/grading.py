"""How long grading takes, and whether a run that is killed half-way loses a submission.

`make bench-grade` (N=200 by default). Every second submission is right, the others have slips, as
in tests/grading/honest.py. Half of the class is graded by a run that gets killed, and the rest by
the run that continues it.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat

from grading.results import read_results
from notebook_files import ROOT, read_notebook

sys.path.insert(0, str(ROOT / "tests" / "grading"))
from honest import honest  # noqa: E402

TOPIC = "02_single_head"


def hand_in_class(folder: Path, count: int) -> None:
    folder.mkdir()
    for number in range(count):
        solution = read_notebook(ROOT / "solutions" / TOPIC / f"{TOPIC}.ipynb")
        nbformat.write(honest(solution, number), folder / f"student{number:04d}.ipynb")


def start(submissions: Path, out: Path, jobs: int) -> subprocess.Popen:
    command = [sys.executable, "-m", "grading", "grade", TOPIC, submissions]
    command += ["--out", out, "--jobs", jobs]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tools")}
    return subprocess.Popen([str(part) for part in command], env=environment, cwd=ROOT)


def graded(out: Path) -> int:
    return len(list(out.glob("students/[!.]*/result.json")))


def measure(submissions: Path, out: Path, jobs: int, count: int) -> None:
    """Grade with one kill in the middle, and report."""
    middle = random.randrange(count // 3, 2 * count // 3 + 1)
    started = time.monotonic()
    run = start(submissions, out, jobs)
    while graded(out) < middle and run.poll() is None:
        time.sleep(0.1)
    seconds = time.monotonic() - started
    run.kill()
    run.wait()
    kept = graded(out)
    restarted = time.monotonic()
    start(submissions, out, jobs).wait()
    seconds += time.monotonic() - restarted
    results = read_results(out)
    lost = count - len({one.student for one in results})
    unsure = sum(bool(one.review) for one in results)
    cpu = sum(one.cpu_seconds for one in results) / len(results)
    print(
        f"JOBS={jobs}: {count} submissions, killed after {kept}, lost {lost}, to review {unsure}; "
        f"{cpu:.2f} CPU seconds each, {60 * count / seconds:.1f} a minute, starts included"
    )
    if lost or unsure:
        raise SystemExit("Submissions were lost or need review, and all of them are honest.")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2])
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as workplace:
        folder = Path(workplace)
        hand_in_class(folder / "in", chosen.submissions)
        for jobs in chosen.jobs:
            measure(folder / "in", folder / f"out{jobs}", jobs, chosen.submissions)


if __name__ == "__main__":
    main()
