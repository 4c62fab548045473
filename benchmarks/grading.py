"""How fast and how safely a class is graded, with accidents on the way.

`make bench-grade` (N=1000 by default). Of twenty submissions one is hostile, some are right, some
have slips, and some are half done, as in grading/tests. The class is graded on two workers; when a
third is done, a worker is killed, and at two thirds the run itself, which is then started again.
Then a part of the honest ones is graded without accidents, on one worker and on two.
"""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import psutil

from grading.results import Result, read_results
from tools.notebooks.notebook_files import ROOT, read_notebook

sys.path.insert(0, str(ROOT / "grading" / "tests"))
from honest import honest  # noqa: E402
from hostile import ATTACKS  # noqa: E402
from processes import ZYGOTE, graded  # noqa: E402

TOPIC = "02_single_head"
HOSTILE = (
    "becomes_root",
    "endless_loop",
    "output_flood",
    "memory_bomb",
    "fork_bomb",
    "displays_scripts",
)
ATTACKING = ("hostile", "harmless")
SERVERS = ("forkserver", ZYGOTE)  # of a worker, which what grades is forked from
SAMPLE = 40  # honest submissions for the comparison of one worker with two
LOOK = 2.0  # seconds between two looks at a run; they take processor time too


def is_blamed(result: Result) -> bool:
    """What some habits ask for and no machine has is named for review, and nobody's fault."""
    return any(not line.startswith("missing:") for line in result.review)


def submission(number: int) -> tuple[str, nbformat.NotebookNode]:
    """The kind of a submission and the submission; "harmless" is an attack that ends in nothing."""
    notebook = read_notebook(ROOT / "solutions" / TOPIC / f"{TOPIC}.ipynb")
    if number % 20 == 19:
        name = HOSTILE[number // 20 % len(HOSTILE)]
        imports = next(
            i for i, cell in enumerate(notebook.cells) if "course_checks as" in cell.source
        )
        notebook.cells.insert(imports + 1, nbformat.v4.new_code_cell(ATTACKS[name][0]))
        return "hostile" if ATTACKS[name][1] else "harmless", notebook
    if number % 4 == 2:
        exercise = read_notebook(ROOT / "exercises" / TOPIC / f"{TOPIC}.ipynb")
        half = len(notebook.cells) // 2
        notebook.cells[half:] = exercise.cells[half:]
        return "half", notebook
    return "wrong" if number % 2 else "right", honest(notebook, number)


def hand_in_class(folder: Path, count: int, *, honest_only: bool = False) -> dict[str, str]:
    folder.mkdir()
    kinds: dict[str, str] = {}
    number = 0
    while len(kinds) < count:
        kind, notebook = submission(number)
        if not honest_only or kind not in ATTACKING:
            kinds[f"student{number:05d}"] = kind
            nbformat.write(notebook, folder / f"student{number:05d}.ipynb")
        number += 1
    return kinds


@dataclass
class Run:
    """`python -m grading grade`, with what its own processes use of the processor.

    Those that grade are counted in the results.
    """

    submissions: Path
    out: Path
    workers: int
    used: dict[tuple[int, float], float] = field(default_factory=dict)

    def start(self) -> None:
        command = [sys.executable, "-m", "grading", "grade", TOPIC, self.submissions]
        command += ["--out", self.out, "--workers", self.workers, "--cell-seconds", 10]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(map(str, command), env=environment, cwd=ROOT)

    def dask_workers(self) -> list[psutil.Process]:
        with contextlib.suppress(psutil.Error):
            children = psutil.Process(self.process.pid).children()
            return [child for child in children if "spawn_main" in " ".join(child.cmdline())]
        return []

    def watch(self) -> None:
        with contextlib.suppress(psutil.Error):
            for parent in [psutil.Process(self.process.pid), *self.dask_workers()]:
                servers = [
                    child
                    for child in parent.children()
                    if parent.pid != self.process.pid
                    and any(name in " ".join(child.cmdline()) for name in SERVERS)
                ]
                for process in (parent, *servers):
                    times = process.cpu_times()
                    self.used[process.pid, process.create_time()] = times.user + times.system

    def engine(self) -> float:
        """Processor seconds of the run's own processes so far."""
        self.watch()
        return sum(self.used.values())

    def until(self, done: int) -> bool:
        """Wait until so many are graded; False where the run ended before."""
        while len(graded(self.out)) < done:
            if self.process.poll() is not None:
                return False
            self.watch()
            time.sleep(LOOK)
        return True


def with_accidents(folder: Path, count: int) -> None:
    """Grade a class with a killed worker and a killed run; fail if anything went wrong by that."""
    kinds = hand_in_class(folder / "in", count)
    run = Run(folder / "in", folder / "out", 2)
    started = time.monotonic()
    run.start()
    worker_killed = run.until(count // 3) and bool(run.dask_workers())
    if worker_killed:
        run.dask_workers()[0].kill()
    run_killed = run.until(2 * count // 3)
    run.process.kill()
    run.process.wait()
    kept = {path: path.read_bytes() for path in graded(folder / "out")}
    run.start()
    run.until(count)
    run.process.wait()
    seconds = time.monotonic() - started

    results = {result.student: result for result in read_results(folder / "out")}
    twice = [path for path, content in kept.items() if path.read_bytes() != content]
    unfair = [
        name
        for name, kind in kinds.items()
        if name in results
        and (
            (kind == "right" and results[name].score != results[name].max_score)
            or (kind == "half" and not 0 < results[name].score < results[name].max_score)
            or (kind == "wrong" and results[name].score == results[name].max_score)
            or (kind not in ATTACKING and is_blamed(results[name]))
        )
    ]
    unseen = [
        name
        for name, kind in kinds.items()
        if kind == "hostile" and name in results and not results[name].review
    ]
    lost = sorted(set(kinds) - set(results))
    honest_ones = [result for name, result in results.items() if kinds[name] not in ATTACKING]
    each = sum(result.cpu_seconds for result in honest_ones) / len(honest_ones)
    engine = run.engine()
    share = engine / sum(result.cpu_seconds for result in results.values())
    print(
        f"{count} submissions on 2 workers, {len(kept)} of them before the run was killed: "
        f"lost {len(lost)}, graded twice {len(twice)}, unfair {len(unfair)}; "
        f"{60 * count / seconds:.1f} a minute with both accidents and starts.\n"
        f"An honest one takes {each:.2f} seconds of processor time. The engine took {engine:.0f} "
        f"seconds in all, starts included: {100 * share:.1f}%.\n"
        f"Hostile ones without a line in review.csv: {len(unseen)}."
    )
    if lost or twice or unfair or unseen or not (worker_killed and run_killed):
        raise SystemExit(
            f"{lost=}, {twice=}, {unfair=}, {unseen=}; {worker_killed=}, {run_killed=}"
        )


def between(submissions: Path, out: Path, workers: int, count: int) -> tuple[float, float]:
    """The seconds that a run takes, and the engine's share of what it uses of the processor.

    The seconds from the third result to the last but two, so that starts and ends do not count.
    """
    run = Run(submissions, out, workers)
    run.start()
    run.until(3)
    engine, first = run.engine(), len(graded(out))
    run.until(count - 2)
    engine, last = run.engine() - engine, len(graded(out))
    run.process.wait()
    written = sorted(path.stat().st_mtime for path in graded(out))
    each = sum(result.cpu_seconds for result in read_results(out)) / count
    return written[count - 3] - written[2], engine / (each * (last - first))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--submissions", type=int, default=1000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as workplace:
        folder = Path(workplace)
        with_accidents(folder, chosen.submissions)
        count = min(SAMPLE, chosen.submissions)
        hand_in_class(folder / "sample", count, honest_only=True)
        (on_one, share), (on_two, _) = (
            between(folder / "sample", folder / f"out{workers}", workers, count)
            for workers in (1, 2)
        )
        print(
            f"{count - 5} honest ones: {60 * (count - 5) / on_one:.1f} a minute on one worker, "
            f"{60 * (count - 5) / on_two:.1f} on two, {on_one / on_two:.2f} times as many. Beside "
            f"what a submission takes, the engine takes {100 * share:.1f}%."
        )


if __name__ == "__main__":
    main()
