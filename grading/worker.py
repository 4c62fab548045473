"""What a worker of the cluster does: it gets the release once, and submissions one at a time.

Each submission is graded in a process of its own, forked from a server that has imported nbgrader
already. So neither its time nor its memory is the worker's.
"""

import asyncio
import compileall
import hashlib
import logging
import multiprocessing
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from multiprocessing import forkserver
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distributed import Worker, WorkerPlugin, get_worker

from grading.cluster import interrupts_held_back
from grading.job import Job, Settings, Task
from grading.launch import ZYGOTE, can_fork, end_zygote, environment_of, start_zygote
from grading.results import Graded
from grading.sandbox import FONTS, Limits, NoSandbox, course_folders, lay_out_door, require

if TYPE_CHECKING:  # these bring nbgrader and torch, which a worker does without
    from grading.release import Release

LOG = logging.getLogger("distributed.worker")  # which a worker of many machines shows
TOPIC = "grading"  # of the events that workers log
SPARE_SECONDS = 90  # beyond a submission's limit: to start, to render, to be stopped
START_SECONDS = 300  # for the server of the graders, on a busy machine
LONGEST_FOLDER = 60  # the path of a socket may have 107 characters
PRELOAD = ["grading.worker", "grading.forkserver_preload"]  # what the server of the graders imports
ZYGOTES: dict[Path, subprocess.Popen] = {}  # by the workplace of its grader; one or none
BUSY = threading.Lock()  # held while a submission is graded, and while the zygote is replaced


class GraderEnded(RuntimeError):
    """The submission has no result, and would have none the next time; the message says why."""


def copy_of_the_course() -> dict[str, str]:
    """What must be the same on all machines, or they would give other points."""
    return {
        "grading": digest_of_programs(Path(__file__).parent),
        **{folder.name: digest_of_programs(folder) for folder in course_folders()},
        "torch": version("torch").partition("+")[0],
    }


def digest_of_programs(folder: Path) -> str:
    """Of all Python files below ``folder`` but tests, with their places in it."""
    digest = hashlib.sha256()
    paths = {path.relative_to(folder): path for path in folder.rglob("*.py")}
    for path in sorted(path for place, path in paths.items() if place.parts[0] != "tests"):
        digest.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return digest.hexdigest()


class Grader(WorkerPlugin):
    """All that workers need for one run; Dask brings it to each of them, late ones too."""

    idempotent = True  # a client that was lost and comes back finds it in its place

    def __init__(self, release: "Release", settings: Settings) -> None:
        import nbformat

        from grading.release import about_checks

        self.assignment, self.digest = release.name, release.digest
        self.notebook = nbformat.writes(release.notebook)
        self.gradebook = release.gradebook.read_bytes()
        self.settings, self.checks = settings, about_checks()
        self.copy = copy_of_the_course()
        parts = (self.digest, self.notebook, settings, self.copy)
        self.name = f"grading-{hashlib.sha256(repr(parts).encode()).hexdigest()}"
        self.is_ready = False
        self.can_fork = settings.sandbox  # whether kernels can be forked
        self.environment = environment_of(release.notebook)

    async def setup(self, worker: Worker) -> None:
        """Prepare, or say why this worker cannot grade, and leave."""
        problem = await asyncio.to_thread(self._prepare, Path(worker.local_directory))
        self.is_ready = not problem
        if self.is_ready:
            LOG.info("Ready to grade %s.", self.assignment)
        else:
            reason = f"The worker {worker.name} on {socket.gethostname()} leaves: {problem}"
            worker.log_event(TOPIC, reason)
            # Not at once, so that the reason is on its way.
            asyncio.get_running_loop().call_later(2, asyncio.ensure_future, _leave(worker, reason))

    def teardown(self, worker: Worker) -> None:
        workplace = getattr(self, "workplace", None)
        if workplace in ZYGOTES:
            _end_zygotes()
        shutil.rmtree(workplace or "", ignore_errors=True)

    def _prepare(self, folder: Path) -> str | None:
        differs = [name for name, own in copy_of_the_course().items() if own != self.copy[name]]
        if differs:
            return f"its {' and '.join(differs)} differ from those of the machine that grades."
        where = folder if len(str(folder)) <= LONGEST_FOLDER else "/tmp"
        self.workplace = Path(tempfile.mkdtemp(prefix="g-", dir=where))
        try:
            if self.settings.sandbox:
                _require_once(self.settings.limits)
        except NoSandbox as problem:
            return str(problem)
        (self.workplace / "gradebook.db").write_bytes(self.gradebook)
        self.gradebook = b""  # what is sent to each process need not hold it
        # A sandbox cannot write what Python keeps of a module, so every kernel would compile again.
        for folder in (*course_folders(), lay_out_door(self.workplace, self.checks)):
            compileall.compile_dir(folder, quiet=2)
        reason = _start_server()
        if self.settings.sandbox and not reason:
            (self.workplace / FONTS).mkdir()
            with BUSY:
                self._keep_a_zygote_running()
        return reason

    def _keep_a_zygote_running(self) -> None:
        """Have kernels forked; where that cannot be, each is started, and imports torch itself.

        A worker of many machines serves many assignments, and has a zygote for one at a time.
        """
        if not self.can_fork or (
            self.workplace in ZYGOTES and ZYGOTES[self.workplace].poll() is None
        ):
            return
        _end_zygotes()
        path, trial = self.workplace / ZYGOTE, self.workplace / "t"
        process = start_zygote(self.workplace, self.environment)
        if process is not None:
            trial.mkdir(exist_ok=True)
            if can_fork(self.workplace, self.settings.limits, trial):
                ZYGOTES[self.workplace] = process
                return
            end_zygote(process)
        path.unlink(missing_ok=True)
        self.can_fork = False
        LOG.warning("Kernels are not forked here, so each submission takes longer.")

    def grade(self, task: Task) -> Graded:
        """Grade in a process of its own; GraderEnded where the submission ends or outlasts it."""
        seconds = self.settings.limits.submission_seconds + SPARE_SECONDS
        with BUSY:
            self._keep_a_zygote_running()
            graded, reason = _in_a_process(seconds, _grade, self, task)
        if graded is None:
            raise GraderEnded(reason)
        return graded

    def release_here(self) -> "Release":
        """The release as it came to this worker."""
        import nbformat

        from grading.release import Release

        notebook = nbformat.reads(self.notebook, as_version=4)
        gradebook = self.workplace / "gradebook.db"
        return Release(self.assignment, notebook, gradebook, self.workplace, self.digest)


def _grade(grader: Grader, task: Task) -> Graded:
    """In a process of its own."""
    from grading.grade_one import grade_apart

    return grade_apart(Job(grader.settings, task, grader.release_here(), grader.workplace))


def grade_on_worker(name: str, task: Task) -> Graded:
    """The task, as the scheduler knows it; ``name`` is the grader's."""
    grader = get_worker().plugins[name]
    assert isinstance(grader, Grader)
    return grader.grade(task)


def is_ready(name: str, dask_worker: Worker) -> bool:
    """Whether this worker can grade; the answer to ``Client.run``."""
    grader = dask_worker.plugins.get(name)
    return isinstance(grader, Grader) and grader.is_ready


def _end_zygotes() -> None:
    for workplace in list(ZYGOTES):
        end_zygote(ZYGOTES.pop(workplace))
        (workplace / ZYGOTE).unlink(missing_ok=True)


async def _leave(worker: Worker, reason: str) -> None:
    await worker.close(nanny=True, reason=reason)


@cache
def _require_once(limits: Limits) -> None:
    """Try the sandbox when a worker gets its first run; it does not change while the worker is."""
    with tempfile.TemporaryDirectory(prefix="k-", dir="/tmp") as folder:
        require(limits, Path(folder))


def _start_server() -> str | None:
    """Start the server of the graders, and say what is wrong where none comes of it."""
    # Dask's workers are daemons, which may not have children; this one ends its children itself.
    multiprocessing.current_process().daemon = False
    multiprocessing.get_context("forkserver").set_forkserver_preload(PRELOAD)
    with interrupts_held_back():
        forkserver.ensure_running()
    answer, reason = _in_a_process(START_SECONDS, os.getpid)
    return None if answer else f"no grader starts: {reason}."


def _in_a_process(seconds: float, function: Callable, *arguments) -> tuple[Any, str]:
    """What ``function`` returns in a process of its own, or None and why there is nothing."""
    context = multiprocessing.get_context("forkserver")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, function, *arguments))
    try:
        try:
            process.start()
        except (EOFError, OSError):
            time.sleep(1)  # the server has ended; a moment later there is a new one
            process.start()
    except (EOFError, OSError):
        receiver.close()
        return None, "the server that starts graders ended"
    finally:
        sender.close()
    try:
        # It is also over when the process is: the pipe ends with it.
        if not receiver.poll(seconds):
            return None, "the grader did not end in time"
        return receiver.recv()
    except (EOFError, OSError):
        process.join()
        return None, f"the grader ended with exit code {process.exitcode}"
    finally:
        process.kill()
        process.join()
        receiver.close()


def _send(sender: Connection, function: Callable, *arguments) -> None:
    threading.Thread(target=_end_with_the_worker, daemon=True).start()
    try:
        answer = function(*arguments), ""
    except Exception as problem:  # the worker may be closing, and its folder gone
        answer = None, f"the grader ended with {type(problem).__name__}: {problem}"
    sender.send(answer)
    sender.close()


def _end_with_the_worker() -> None:
    """A worker that is killed leaves nothing that goes on: the kernel ends with this process."""
    worker = multiprocessing.parent_process()
    assert worker is not None
    wait([worker.sentinel])
    os.kill(os.getpid(), signal.SIGKILL)
