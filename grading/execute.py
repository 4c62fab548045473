"""Run an untrusted notebook to its end, whatever it does, and read its points.

nbgrader's Execute does the running. Here is what it lacks: a limit for the whole notebook, an end
for a kernel that cannot be interrupted, limits on output and memory, and points only where a check
cell gave a number.
"""

import contextlib
import math
import os
import re
import signal
import threading
import time
from collections.abc import Set
from pathlib import Path

import psutil
from nbclient.exceptions import CellControlSignal, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_output
from nbgrader import utils
from nbgrader.preprocessors import Execute

from course_checks.notebook.cells import IMPORT, called_check
from course_checks.notebook.lacking import UNDEFINED, Failed, go_on_behind
from course_checks.notebook.mistakes import OURS, STOPPED
from course_checks.notebook.repair import TRIED
from grading.carried import calls, may_be_lent, say_what_was_lent
from grading.judging import Judging, Verdict
from grading.sandbox import Limits
from tools.notebooks.notebook_files import is_check_cell

POLL = 0.25  # seconds between two looks at what the kernel uses
NO_POINTS = "the check cell shows no points"
OUT_OF_TIME = "the time limit of the whole notebook was reached"
INTERRUPT_SECONDS = 10  # until an interrupted cell has ended; it may have to print its traceback
MAX_CONNECTION_BYTES = 2**20  # the sockets' folder is the only one on the host's disk


class UntrustedExecute(Execute):
    """``run(notebook)`` executes in place.

    Then ``stopped`` says why the kernel ended early, ``timeouts`` and ``flooded`` are numbers of
    cells that were interrupted or printed too much, ``failed`` statements behind which a cell went
    on, ``several`` answers of which there were several tries, and ``unjudged`` those that may have
    paid for a mistake that is not theirs. ``given`` are the course's imports, by name.
    """

    def __init__(
        self, limits: Limits, connection_dir: Path, judge: Judging, given: dict[str, str], **kwargs
    ) -> None:
        super().__init__(**kwargs)
        self.limits, self.judge, self.given = limits, judge, given
        self.connection_dir = connection_dir
        self.shutdown_kernel = "immediate"
        self.timeout_func = self._seconds_left
        self.startup_timeout = limits.submission_seconds  # it imports torch, on a busy machine
        self.iopub_timeout = INTERRUPT_SECONDS
        self.stopped = ""
        self.timeouts: list[int] = []
        self.flooded: list[int] = []
        self.unjudged: list[str] = []
        self.failed: list[Failed] = []
        self.several: list[str] = []
        self._cells: list[NotebookNode] = []
        self._wrong: list[str] = []  # exercises whose own check was below full points
        self._cpu: dict[int, float] = {}
        self._bytes_of_cell = self._bytes_of_all = 0
        self._number = 0  # of the student's cell that was run last
        self._tries: dict[str, Verdict] = {}  # the best of earlier tries, by the check's grade_id
        self._is_ours = False  # whether the cell that runs is the grader's

    @property
    def cpu_seconds(self) -> float:
        return sum(self._cpu.values()) + self.judge.cpu_seconds

    def run(self, notebook: NotebookNode) -> None:
        self._deadline = time.monotonic() + self.limits.submission_seconds
        self._cells = list(notebook.cells)
        watching = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(watching,), daemon=True)
        watcher.start()
        try:
            self.preprocess(notebook, {"metadata": {"path": str(self.connection_dir)}})
        finally:
            watching.set()
            watcher.join()
            notebook.cells = self._cells  # nbclient puts whatever ran last into a cell's place

    def preprocess_cell(self, cell: NotebookNode, resources: dict, index: int) -> tuple:
        self._number = index + 1
        exercise = called_check(cell.source) if is_check_cell(cell) else ""
        if exercise and not self.stopped:
            self._run_ours(IMPORT, resources, index)  # a notebook may call something else so
        self.judge.verdicts()  # what earlier cells had judged counts in no check
        self._run_cell(cell, resources, index)
        if exercise and not self.stopped:
            verdict = self._best_of_tries(cell, self._verdict_on(exercise))
            _show(verdict, cell)
            if verdict is not None and verdict.points < cell.metadata.nbgrader.points:
                self._judge_apart(exercise, verdict, cell, resources, index)
            if verdict is None or verdict.points < cell.metadata.nbgrader.points:
                self._wrong.append(exercise)
            self.clear_display_id_mapping(index)  # or later cells could change what it shows
        elif TRIED in cell.metadata and not self.stopped:
            self._judge_try(cell.metadata[TRIED], resources, index)
        if index + 1 == len(self._cells):  # the kernel is ended now, before the next look at it
            self._count_seconds(self._family())
        return cell, resources

    def _verdict_on(self, exercise: str, lent: Set[str] = frozenset()) -> Verdict | None:
        """The first that was given while the last cell ran: a check cell is one try.

        Where functions of the course are ``lent``, of those with some of them and no others.
        """
        for verdict in self.judge.verdicts():
            is_lent_the_same = bool(lent) == bool(verdict.lent) and verdict.lent <= lent
            if verdict.exercise == exercise and is_lent_the_same:
                return verdict
        return None

    def _judge_try(self, grade_id: str, resources: dict, index: int) -> None:
        """Judge an answer of which there are several, where this one stands."""
        checks = [cell for cell in self._cells if is_check_cell(cell)]
        check = next(cell for cell in checks if cell.metadata.nbgrader.grade_id == grade_id)
        self._run_ours(check.source, resources, index)
        verdict = self._best_of_tries(check, self._verdict_on(called_check(check.source)))
        if verdict is not None and check.outputs:  # it has run, and stands above
            _show(verdict, check)

    def _best_of_tries(self, check: NotebookNode, verdict: Verdict | None) -> Verdict | None:
        """Of this verdict and those on other tries at the same answer, the one with most points."""
        grade_id = check.metadata.nbgrader.grade_id
        other = self._tries.get(grade_id)
        if other is not None:
            self.several.append(f"{grade_id}: the best of several tries counts")
        if verdict is None or (other is not None and other.points > verdict.points):
            return other
        self._tries[grade_id] = verdict
        return verdict

    def _run_ours(self, code: str, resources: dict, index: int) -> None:
        self._is_ours = True
        self._run_cell(new_code_cell(code), resources, index)
        self._is_ours = False

    def _judge_apart(
        self, exercise: str, verdict: Verdict, cell: NotebookNode, resources: dict, index: int
    ) -> None:
        """Judge an answer once more, with the course's own functions for those not right."""
        borrowed = calls(exercise, self._wrong, self._cells)
        below = self._cells[index + 1 :]
        names = [name for name in borrowed if may_be_lent(name, exercise, below)]
        if kept := [name for name in borrowed if name not in names]:
            self.unjudged.append(f"{exercise} calls {' and '.join(kept)}, which is not right")
        if not names:
            return
        self.judge.lend(names)
        code = f"checks.judged_with_the_courses_own({exercise!r}, {names!r})"
        self._run_ours(f"{IMPORT}\n{code}", resources, index)
        self.judge.lend([])
        better = self._verdict_on(exercise, lent={*names})
        if better is not None and better.points > verdict.points:
            _show(better, cell)
            say_what_was_lent(cell, names)

    def _run_cell(self, cell: NotebookNode, resources: dict, index: int) -> tuple:
        if cell.cell_type != "code" or not cell.source.strip():
            return cell, resources
        if not self.stopped and self._is_over():
            self._stop(OUT_OF_TIME)
        if self.stopped:
            cell.outputs = [error(f"this cell was not run: {self.stopped}")]
            return cell, resources
        self._bytes_of_cell = 0
        self._attempt(cell, resources, index)
        if is_check_cell(cell):
            _show(None, cell)
        elif not self._is_ours:
            self._go_on_behind(cell, resources, index)
        if self.stopped:
            cell.outputs.append(error(self.stopped))
        elif any(output.get("ename") == "CellTimeoutError" for output in cell.outputs):
            self.timeouts.append(self._number)
        return cell, resources

    def _go_on_behind(self, cell: NotebookNode, resources: dict, index: int) -> None:
        """Run what stands behind statements that stopped."""

        def run(rest: NotebookNode) -> None:
            if not self.stopped:
                self._attempt(rest, resources, index)

        self.failed += go_on_behind(cell, self._number, run, self.given)

    def _attempt(self, cell: NotebookNode, resources: dict, index: int) -> None:
        try:
            super().preprocess_cell(cell, resources, index)
        except DeadKernelError:
            self._stop(f"the kernel ended in cell {self._number}")
        except CellTimeoutError:
            endless = f"cell {self._number} did not end and could not be interrupted"
            self._stop(OUT_OF_TIME if self._is_over() else endless)

    def process_message(self, msg: dict, cell: NotebookNode, cell_index: int) -> object:
        """Drop output beyond the limits; everything else is nbclient's."""
        if msg["msg_type"] not in ("status", "execute_input"):
            size = _size(msg["content"])
            self._bytes_of_cell += size
            self._bytes_of_all += size
            if self._bytes_of_all > self.limits.output:
                self._stop(f"too much output, the last in cell {self._number}")
                return None
            if self._bytes_of_cell > self.limits.kept_output:
                if self._number not in self.flooded:
                    self.flooded.append(self._number)
                return None
        try:
            return super().process_message(msg, cell, cell_index)
        except CellControlSignal:  # the cell's end
            raise
        except Exception:  # a message that no notebook can hold; whatever it was, it is not shown
            return None

    def _is_over(self) -> bool:
        return time.monotonic() >= self._deadline

    def _seconds_left(self, cell: NotebookNode) -> int:
        left = math.ceil(self._deadline - time.monotonic())
        return max(1, min(self.limits.cell_seconds, left))

    def _stop(self, reason: str) -> None:
        """Kill the kernel, and with it everything in its sandbox; the first reason is kept."""
        self.stopped = self.stopped or reason
        process = self._kernel_process()
        if process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process, signal.SIGKILL)

    def _kernel_process(self) -> int | None:
        provisioner = getattr(getattr(self, "km", None), "provisioner", None)
        return provisioner.pid if provisioner is not None and provisioner.has_process else None

    def _watch(self, ended: threading.Event) -> None:
        """Stop the kernel when its processes are too many or too large, or its folder is."""
        while not ended.wait(POLL):
            family = self._family()
            if not family:
                continue
            most = self.limits.memory
            # The number comes first: to look at each one takes long where they fork without end.
            if len(family) > self.limits.processes:
                self._stop("too many processes were started")
            # Forked processes share pages; dividing these up is slow, so only near the limit.
            elif sum(map(_resident, family)) > most and sum(map(_proportional, family)) > most:
                self._stop("too much memory was used")
            elif _folder_size(self.connection_dir) > MAX_CONNECTION_BYTES:
                self._stop("the grader's own folder was written to")
            self._count_seconds(family)

    def _family(self) -> list[psutil.Process]:
        """The processes of the sandbox; where the kernel was forked into it, it is apart."""
        manager = getattr(self, "km", None)  # gone when the kernel has just ended
        process = self._kernel_process()
        if manager is None or process is None:
            return []
        return [*_family(process), *_family(manager.forked)]

    def _count_seconds(self, family: list[psutil.Process]) -> None:
        for process in family:
            with contextlib.suppress(psutil.Error):
                times = process.cpu_times()
                self._cpu[process.pid] = times.user + times.system


def _show(verdict: Verdict | None, cell: NotebookNode) -> None:
    """Let a check cell show what the judge said, and nothing that the kernel shows for it."""
    shown = [output for output in cell.outputs if output.output_type == "error"]
    if verdict is not None:
        data = {"text/plain": verdict.text, "text/html": verdict.page}
        shown = [new_output("execute_result", data=data, execution_count=cell.execution_count)]
    cell.outputs = shown


def read_points(notebook: NotebookNode) -> list[str]:
    """Make every check cell's outputs say what nbgrader should read.

    nbgrader takes no output for full points, and anything on stderr for none. Here a check has the
    points that the judge gave, and otherwise none. Returned are the cells without points.
    """
    no_points: list[str] = []
    answer = None
    stopped: dict[str, str] = {}  # the functions of answers that did not run, and why
    for cell in notebook.cells:
        if utils.is_solution(cell):
            answer = cell
            names = re.findall(r"^\s*(?:def|class)\s+(\w+)", cell.source, re.MULTILINE)
            stopped |= dict.fromkeys(names, _cause(cell))
        elif cell.cell_type == "code" and not is_check_cell(cell):
            _say_what_is_missing(cell.outputs, stopped)
        if not is_check_cell(cell):
            continue
        if any(output.output_type == "error" for output in cell.outputs):
            cell.outputs.sort(key=lambda output: output.output_type != "error")
            cause = _cause(answer) if answer is not None else ""
            if cause and cell.outputs[0].ename == "NameError":
                cell.outputs[0] = error(f"{STOPPED} {cause}")
            continue
        shows_points = any(output.output_type == "execute_result" for output in cell.outputs)
        if called_check(cell.source) and not shows_points:  # a plain test raises when it fails
            no_points.append(f"{cell.metadata.nbgrader.grade_id}: {NO_POINTS}")
            cell.outputs.insert(0, error(NO_POINTS))
    return no_points


def _cause(answer: NotebookNode) -> str:
    """How the cell of an answer ended; "" where nothing stopped it."""
    stops = [output for output in answer.get("outputs", []) if output.output_type == "error"]
    if not stops:
        return ""
    # The name of the file is the kernel's own for the cell.
    message = re.fullmatch(r"(.*?) \([^()]*, line (\d+)\)", stops[-1].evalue, re.DOTALL)
    if message and stops[-1].ename in ("SyntaxError", "IndentationError", "TabError"):
        return f"has a syntax error in line {message[2]}: {message[1]}"
    return f"stopped with {stops[-1].ename}: {stops[-1].evalue}".strip(": ")


def _say_what_is_missing(outputs: list[NotebookNode], stopped: dict[str, str]) -> None:
    """A cell that uses an answer which did not run says so, and shows no traceback of that."""
    for number, output in enumerate(outputs):
        if output.output_type != "error" or output.ename != "NameError":
            continue
        missing = UNDEFINED.match(output.evalue)
        cause = stopped.get(missing[1], "") if missing else ""
        if missing and cause:
            outputs[number] = error(f"the cell of {missing[1]} {cause}")


def error(text: str) -> NotebookNode:
    """What grading itself has to say of a cell, in the place of an error."""
    return new_output("error", ename=OURS, evalue=text, traceback=[text])


def _size(content: object) -> int:
    if isinstance(content, (dict, list, tuple)):
        parts = content.values() if isinstance(content, dict) else content
        return sum(_size(part) + 8 for part in parts)
    return len(content) if isinstance(content, (str, bytes)) else 8


def _family(pid: int | None) -> list[psutil.Process]:
    """A process and its descendants."""
    with contextlib.suppress(psutil.Error):
        if pid is not None:
            parent = psutil.Process(pid)
            return [parent, *parent.children(recursive=True)]
    return []


def _resident(process: psutil.Process) -> int:
    """Bytes in memory, those that are shared with other processes included."""
    with contextlib.suppress(psutil.Error):
        return process.memory_info().rss
    return 0


def _proportional(process: psutil.Process) -> int:
    """Bytes in memory that come from no file, shared ones divided by the number that share them."""
    try:
        lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it ended just now, or this is not Linux
        return _resident(process)
    wanted = ("Pss_Anon:", "Pss_Shmem:")
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(wanted))


def _folder_size(folder: Path) -> int:
    """Bytes in a folder, 4096 counted for each file; links are not followed."""
    total, folders = 0, [folder]
    while folders:
        with contextlib.suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                total += 4096 + entry.stat(follow_symlinks=False).st_size
                if entry.is_dir(follow_symlinks=False):
                    folders.append(Path(entry.path))
    return total
