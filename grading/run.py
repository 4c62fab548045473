"""Grade many submissions on a Dask cluster; what is graded stays graded.

This process, the cluster's client, reads the submissions and is the only one that writes: a result
as soon as it comes back. So a run that is killed has lost nothing but what was on its way.
"""

import contextlib
import fcntl
import hashlib
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from distributed import Client, Future, KilledWorker, as_completed
from tqdm import tqdm

from grading.grade_one import ungraded
from grading.job import Job, Settings, Task
from grading.release import Release
from grading.results import Graded, read_result, remove_drafts, with_one_check, write_result
from grading.sandbox import Limits, NoSandbox
from grading.submissions import find_submissions, read_submission, write_inbox
from grading.worker import TOPIC, Grader, GraderEnded, grade_on_worker, is_ready

LOST = "The connection to the scheduler was lost; the same command goes on with the others."
NONE_LEFT = "No worker came back to life; the same command goes on with the others."
LOOK = 5  # seconds between two looks at the workers while nothing comes back
WITHOUT_WORKERS = 300  # seconds that the cluster of this machine may have none


def grade_all(
    release: Release,
    submissions: Path,
    folder: Path,
    connect: Callable[[], AbstractContextManager[Client]],
    *,
    sandbox: bool = True,
    seed: int | None = None,
    limits: Limits | None = None,
    pairs: Sequence[list[str]] = (),
    only: str = "",
) -> None:
    """Grade what students handed in and leave each result in ``folder``/students/NAME.

    ``connect`` gives the cluster; it is called if there is something to grade. ``only`` is a check
    cell: it is judged again, and all other points stay. NoSandbox where no worker has one,
    ConnectionError where the scheduler is lost, ValueError where the folders do not fit.
    """
    _keep_apart(submissions, folder)
    inbox = find_submissions(submissions, pairs)
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder):
        remove_drafts(folder / "students")
        seed = _common_seed(folder, seed)
        write_inbox(folder, inbox)
        grader = Grader(release, Settings(limits or Limits(), sandbox, seed))
        mark = "" if sandbox else "NOT SANDBOXED "
        missing = [
            student
            for student, paths in inbox.students.items()
            if only or not _is_graded(folder / "students" / student, _task(grader, student, paths))
        ]
        if not missing:
            return
        waiting = (_task(grader, student, inbox.students[student]) for student in missing)
        total = len(inbox.students)
        with (
            connect() as client,
            # Without smoothing, the time left is that of the run so far, and not of the last few.
            tqdm(
                total=total,
                initial=total - len(missing),
                desc=f"{mark}{release.name}",
                unit="student",
                smoothing=0,
            ) as bar,
        ):
            _bring_release(grader, client, bar)
            _grade_all(waiting, grader, client, release, folder / "students", bar, mark, only)


def _keep_apart(submissions: Path, folder: Path) -> None:
    """Refuse folders in which a student's files could pass for results, or results for theirs."""
    inbox, out = submissions.resolve(), folder.resolve()
    if inbox.is_relative_to(out) or out.is_relative_to(inbox):
        raise ValueError(
            f"OUT={folder} and SUBMISSIONS={submissions} must be apart: a student's files could "
            "pass for results. Choose another OUT."
        )


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Refuse a second run into the same folder; the lock ends with the process that has it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise ValueError(f"Another run writes into OUT={folder}: wait for its end.") from None
    finally:
        os.close(handle)


def _task(grader: Grader, student: str, paths: list[Path]) -> Task:
    submission = read_submission(student, paths)
    settings = repr(grader.settings)
    made_of = {
        "submission": submission.digest(),
        "release": grader.digest,
        "grader": grader.copy["grading"],
        "settings": hashlib.sha256(settings.encode()).hexdigest(),
    }
    return Task(submission, hashlib.sha256(repr(made_of).encode()).hexdigest(), made_of)


def _bring_release(grader: Grader, client: Client, bar: tqdm) -> None:
    """Bring the release to the workers; wait for one that can grade, or for NoSandbox."""
    refusals: list[str] = []

    def tell(event: tuple[float, str]) -> None:
        refusals.append(event[1])
        bar.write(event[1], file=sys.stderr)

    client.subscribe_topic(TOPIC, tell)
    client.register_plugin(grader, name=grader.name)
    waits = False
    while not any(client.run(is_ready, grader.name).values()):
        if refusals:
            raise NoSandbox("No worker can grade.")
        if not waits and not client.nthreads():
            bar.write("There are no workers yet. Waiting for the first.", file=sys.stderr)
            waits = True
        time.sleep(0.5)


def _grade_all(
    waiting: Iterator[Task],
    grader: Grader,
    client: Client,
    release: Release,
    folder: Path,
    bar: tqdm,
    mark: str,
    only: str,
) -> None:
    """Keep the workers busy, and write what comes back.

    No more is on its way than they can take: what waits at a worker that another submission kills
    would count as one that its workers do not survive.
    """
    on_the_way: dict[Future, Task] = {}
    finished = as_completed(loop=client.loop)
    more, last_seen, told_at = True, time.monotonic(), 0.0
    while more or on_the_way:
        # A cluster of this machine replaces a worker that was killed, but not one that was killed
        # while it started. Elsewhere others may come at any time.
        room, now = sum(client.nthreads().values()), time.monotonic()
        if not room and last_seen > told_at:
            bar.write("There are no workers left. Waiting for another.", file=sys.stderr)
            told_at = now
        if not room and client.cluster is not None and now - last_seen > WITHOUT_WORKERS:
            raise ConnectionError(NONE_LEFT)
        last_seen = now if room else last_seen
        while more and len(on_the_way) < max(1, room):
            task = next(waiting, None)
            if task is None:
                more = False
                break
            name = ("grade", f"{task.submission.student}-{task.key}")
            future = client.submit(grade_on_worker, grader.name, task, key=name, pure=False)
            on_the_way[future] = task
            finished.add(future)
        if not on_the_way:
            break
        if not _wait_for_result(finished):
            continue
        future = next(finished)
        task = on_the_way.pop(future)
        graded = _result_of(future, task, grader, release)
        place = folder / task.submission.student
        write_result(place, with_one_check(place, graded, only) if only else graded)
        _show_result(graded, bar, mark)


def _wait_for_result(finished: as_completed) -> bool:
    """Whether something comes back within ``LOOK`` seconds."""
    deadline = time.monotonic() + LOOK
    while not finished.has_ready() and time.monotonic() < deadline:
        time.sleep(0.05)
    return finished.has_ready()


def _result_of(future: Future, task: Task, grader: Grader, release: Release) -> Graded:
    """What the worker sent; 0 points and a reason where it could send nothing.

    Where the reason is not the submission's, it has no key, so that the next run tries again.
    """
    if future.status == "finished":
        return future.result()
    if future.status != "error":
        raise ConnectionError(LOST)
    problem = future.exception()
    if isinstance(problem, GraderEnded):
        reason = str(problem)
    elif isinstance(problem, KilledWorker):
        reason, task = "each worker that graded it came to an end", replace(task, key="")
    else:
        reason = f"the worker could not grade it ({type(problem).__name__}: {problem})"
        task = replace(task, key="")
    with tempfile.TemporaryDirectory(prefix="grade-") as workplace:
        return ungraded(Job(grader.settings, task, release, Path(workplace)), reason)


def _show_result(graded: Graded, bar: tqdm, mark: str) -> None:
    result = graded.result
    if result.review or mark:
        words = "; ".join(result.review) or f"{result.score:g} points"
        bar.write(f"{mark}{result.student}: {words}", file=sys.stderr)
    bar.update()


def _is_graded(folder: Path, task: Task) -> bool:
    result = read_result(folder)
    return result is not None and result.key == task.key


def _common_seed(folder: Path, seed: int | None) -> int:
    """The seed of all that is graded into ``folder``: given, or drawn once and kept there."""
    path = folder / "seed"
    if seed is None and path.exists():
        return int(path.read_text())
    seed = secrets.randbelow(2**31) if seed is None else seed
    path.write_text(str(seed))
    return seed
