"""Grade many submissions: one process each, several at a time; what is graded stays graded."""

import hashlib
import multiprocessing
import os
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.connection import wait
from pathlib import Path

from tqdm import tqdm

from grading.grade_one import Job, grade, record_ungraded
from grading.inbox import write_inbox
from grading.release import Release
from grading.results import read_result, remove_drafts
from grading.sandbox import Limits, require
from grading.submissions import find_submissions, read_submission, shard_of

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

    What each entry of ``submissions`` is goes to ``folder``/inbox.csv.

    Raises:
        NoSandbox: the sandbox is wanted and does not work here.
        ValueError: there are no submissions, the two folders hold one another, or ``shard`` is no
            shard.
    """
    limits = limits or Limits()
    _keep_apart(submissions, folder)
    inbox = find_submissions(submissions)
    students = shard_of(inbox.students, shard)
    mark = "" if sandbox else "NOT SANDBOXED "
    # One folder for all that is temporary, so that a run that is interrupted leaves nothing. In
    # /tmp, since it holds sockets, whose paths must be short.
    with tempfile.TemporaryDirectory(
        prefix="grade-", dir="/tmp", ignore_cleanup_errors=True
    ) as temporary:
        workplace = Path(temporary)
        if sandbox:
            (workplace / "k").mkdir()
            require(limits, workplace / "k")
        seed = _common_seed(folder, seed)
        write_inbox(folder, inbox)
        waiting = _jobs(release, students, folder / "students", workplace, limits, sandbox, seed)
        with tqdm(total=len(students), desc=f"{mark}{release.name}", unit="student") as bar:
            _run(waiting, jobs, bar, mark)


def _keep_apart(submissions: Path, folder: Path) -> None:
    """Refuse folders in which a student's files could pass for results, or results for theirs."""
    one, other = submissions.resolve(), folder.resolve()
    if one.is_relative_to(other) or other.is_relative_to(one):
        raise ValueError(
            f"OUT={folder} and SUBMISSIONS={submissions} must be apart: a student's files could "
            "pass for results. Choose another OUT."
        )


def _jobs(
    release: Release,
    students: dict[str, list[Path]],
    folder: Path,
    workplace: Path,
    limits: Limits,
    sandbox: bool,
    seed: int,
) -> Iterator[Job]:
    program = hashlib.sha256(b"".join(path.read_bytes() for path in PROGRAM_FILES)).hexdigest()
    for student, paths in students.items():
        submission = read_submission(student, paths)
        made_of = {
            "submission": submission.digest(),
            "release": release.digest,
            "grader": program,
            "settings": hashlib.sha256(repr((limits, sandbox, seed)).encode()).hexdigest(),
        }
        key = hashlib.sha256(repr(made_of).encode()).hexdigest()
        place = folder / student
        yield Job(submission, release, limits, sandbox, seed, key, place, workplace, made_of)


def _run(waiting: Iterator[Job], jobs: int, bar: tqdm, mark: str) -> None:
    # A server imports nbgrader once; each submission gets a process forked from it.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["grading.grade_one"])
    _start_server()
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
        for one in running:
            one.process.join()
            remove_drafts(one.job.folder)


def _start_server() -> None:
    """Start the server with Ctrl-C held back, so that no process of it dies of that half-way."""
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


def _start(context, function: Callable, job: Job, *more: str) -> _Running:
    remove_drafts(job.folder)
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
