"""Grade many submissions: one process each, several at a time; what is graded stays graded."""

import hashlib
import multiprocessing
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path

from tqdm import tqdm

from grading.grade_one import Job, grade, record_ungraded
from grading.release import Release
from grading.results import read_result
from grading.sandbox import Limits, require
from grading.submissions import find_students, read_submission, shard_of

SPARE_SECONDS = 90  # beyond a submission's limit: to start, to render, to be stopped
PROGRAM_FILES = sorted(Path(__file__).parent.glob("*.py"))


@dataclass
class _Running:
    job: Job
    process: multiprocessing.Process
    deadline: float


def grade_all(
    release: Release,
    submissions: Path,
    folder: Path,
    *,
    jobs: int = 1,
    shard: str = "1/1",
    sandbox: bool = True,
    seed: int | None = None,
    limits: Limits | None = None,
) -> None:
    """Grade what students handed in and leave each result in ``folder``/students/NAME.

    Raises:
        NoSandbox: the sandbox is wanted and does not work here.
        ValueError: the submissions cannot be told apart, or ``shard`` is no shard.
    """
    limits = limits or Limits()
    students = shard_of(find_students(submissions), shard)
    if sandbox:
        with tempfile.TemporaryDirectory(prefix="k-", dir="/tmp") as connection_dir:
            require(limits, Path(connection_dir))
    seed = _common_seed(folder, seed)
    waiting = _jobs(release, students, folder / "students", limits, sandbox, seed)
    mark = "" if sandbox else "NOT SANDBOXED "
    with tqdm(total=len(students), desc=f"{mark}{release.name}", unit="student") as bar:
        _run(waiting, jobs, bar, mark)


def _jobs(
    release: Release,
    students: dict[str, Path],
    folder: Path,
    limits: Limits,
    sandbox: bool,
    seed: int,
) -> Iterator[Job]:
    program = hashlib.sha256(b"".join(path.read_bytes() for path in PROGRAM_FILES)).hexdigest()
    for student, path in students.items():
        submission = read_submission(student, path)
        parts = (submission.digest(), release.digest, program, limits, sandbox, seed)
        key = hashlib.sha256(repr(parts).encode()).hexdigest()
        yield Job(submission, release, limits, sandbox, seed, key, folder / student)


def _run(waiting: Iterator[Job], jobs: int, bar: tqdm, mark: str) -> None:
    # A server imports nbgrader once; each submission gets a process forked from it.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["grading.grade_one"])
    running: list[_Running] = []
    waiting = iter(waiting)
    more = True
    try:
        while more or running:
            while more and len(running) < jobs:
                job = next(waiting, None)
                if job is None:
                    more = False
                elif _is_graded(job):
                    bar.update()
                else:
                    running.append(_start(context, grade, job))
            if running:
                wait([one.process.sentinel for one in running], timeout=1)
            for one in [one for one in running if _is_over(one)]:
                running.remove(one)
                _settle(context, one, bar, mark)
    finally:
        for one in running:
            one.process.kill()


def _start(context, function: Callable, job: Job, *more: str) -> _Running:
    process = context.Process(target=function, args=(job, *more))
    process.start()
    return _Running(job, process, time.monotonic() + job.limits.submission_seconds + SPARE_SECONDS)


def _is_over(one: _Running) -> bool:
    return not one.process.is_alive() or time.monotonic() > one.deadline


def _settle(context, one: _Running, bar: tqdm, mark: str) -> None:
    """Make sure that there is a result, and say what is to be said about it."""
    if one.process.is_alive():
        one.process.kill()
        reason = "the grader did not end in time"
    else:
        reason = f"the grader ended with exit code {one.process.exitcode}"
    one.process.join()
    if not _is_graded(one.job):
        last = _start(context, record_ungraded, one.job, reason)
        last.process.join()
    result = read_result(one.job.folder)
    if result is None:
        raise RuntimeError(f"No result for {one.job.submission.student} could be written.")
    if result.review:
        bar.write(f"{mark}{result.student}: {'; '.join(result.review)}", file=sys.stderr)
    elif mark:
        bar.write(f"{mark}{result.student}: {result.score:g} points", file=sys.stderr)
    bar.update()


def _is_graded(job: Job) -> bool:
    result = read_result(job.folder)
    return result is not None and result.key == job.key


def _common_seed(folder: Path, seed: int | None) -> int:
    """The seed of all that is graded into ``folder``: given, or drawn once and kept there."""
    path = folder / "seed"
    folder.mkdir(parents=True, exist_ok=True)
    if seed is not None:
        path.write_text(str(seed))
        return seed
    draft = folder / f".seed-{os.getpid()}-{secrets.token_hex(4)}"
    draft.write_text(str(secrets.randbelow(2**31)))
    try:
        os.link(draft, path)  # only the first of several shards succeeds
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return int(path.read_text())
