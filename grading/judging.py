"""The judge of one submission: a process of its own that the kernel reaches by a socket.

Whatever the kernel sends is data of somebody's who may cheat (course_checks.judge.from_outside). So
a verdict comes from this process alone, and never from what a cell shows.
"""

import contextlib
import io
import os
import random
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path

import psutil
import torch

import course_checks as checks
from course_checks.judge.border import receive
from course_checks.judge.from_outside import Student
from course_checks.judge.lent import Lender
from course_checks.judge.plain_data import from_bytes
from grading.sandbox import give_to_sandbox

SOCKET = "judge"  # in the folder that the kernel shares with the grader
PATIENCE = 600  # seconds without a word from the kernel
SHOWN_BELOW = "What the check found is shown at the check cell of this exercise alone."
Functions = dict[str, Callable]


@dataclass(frozen=True)
class Verdict:
    """What a check gave, and how it shows; ``lent`` are functions of the course that it called."""

    exercise: str
    points: float
    page: str
    text: str
    lent: frozenset[str]


class Judging:
    """A judge that runs; ``verdicts`` and ``lend`` talk with it."""

    def __init__(self, process: psutil.Process, line: Connection) -> None:
        self._process, self._line = process, line

    def verdicts(self) -> list[Verdict]:
        """Those that were given since the last call, the first one first."""
        verdicts = []
        with contextlib.suppress(EOFError, OSError):  # the judge has ended
            while self._line.poll():
                verdicts.append(self._line.recv())
        return verdicts

    def lend(self, names: list[str]) -> None:
        """From now on these functions of the course may be called; their code stays here."""
        with contextlib.suppress(OSError):
            self._line.send(names)

    @property
    def cpu_seconds(self) -> float:
        with contextlib.suppress(psutil.Error):
            times = self._process.cpu_times()
            return times.user + times.system
        return 0.0


@contextlib.contextmanager
def judging(folder: Path, seed: int) -> Iterator[Judging]:
    """Start a judge whose socket is in ``folder``; ``seed`` decides what it draws."""
    context = get_context("fork")  # this process has imported all that it needs
    line, its_line = context.Pipe()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / SOCKET))
        listener.listen()
        if os.getuid() == 0:
            give_to_sandbox(folder / SOCKET)
        process = context.Process(target=_serve, args=(listener, line, its_line, seed))
        process.start()
    its_line.close()
    assert process.pid is not None
    try:
        yield Judging(psutil.Process(process.pid), line)
    finally:
        process.kill()
        process.join()
        line.close()


def _serve(listener: socket.socket, graders: Connection, line: Connection, seed: int) -> None:
    """Judge whatever comes, one after the other, until the grader has ended."""
    graders.close()
    torch.set_num_threads(1)  # as in a kernel
    seeds = random.Random(seed)
    lent: Functions = {}
    os.environ.pop("COURSE_EXPECT", None)
    while True:
        ready = wait([listener, line])
        if line in ready:
            try:
                lent = {name: checks.ALL[name].exercise.reference for name in line.recv()}
            except (EOFError, OSError):
                return
            continue
        connection, _ = listener.accept()
        # Each check draws other numbers, so that none can be learned from an earlier one.
        os.environ["COURSE_SEED"] = str(seeds.randrange(2**31))
        with connection, contextlib.suppress(Exception):  # whatever the kernel makes of it
            connection.settimeout(PATIENCE)
            _judge(connection, line, lent)


def _judge(connection: socket.socket, line: Connection, lent: Functions) -> None:
    match from_bytes(receive(connection)):
        case {"name": str(name), "ready": bool(is_question), "seed": int() | None as seed}:
            # Of an answer itself nothing is lent: it would be judged by what it should be.
            lender = Lender({other: lent[other] for other in lent if other != name})
            check = checks.ALL[name]
            student = Student(connection, lender)
        case _:
            return
    if is_question:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            is_ready = check.ready(student)
        student.tell((is_ready, printed.getvalue()))
        return
    result = check(student, seed=seed)
    if seed is None:  # with a seed, the numbers may be known
        page, text = result._repr_html_(), repr(result)
        line.send(Verdict(name, result.points, page, text, frozenset(lender.used)))
    if result.status != "pass":  # what shows right answers, in words or numbers, stays here
        result = replace(
            result, message=(SHOWN_BELOW,), code="", tables=(), inputs=(), diagnosis=None, seed=None
        )
    student.tell(result)
