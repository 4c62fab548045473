"""Start the grader's commands as processes of their own, and look at what they start and leave."""

import signal
import subprocess
import sys
import time

import psutil

from grading import sandbox
from tools.notebooks.notebook_files import ROOT

ZYGOTE = "grading.zygote"  # in the command of all that are forked from it
PATIENCE = 600  # seconds, on a busy machine


def graded(out):
    """The results that a run has finished so far, as files."""
    return list(out.glob("students/[!.]*/result.json"))


def command(*arguments, module="grading", **options):
    return subprocess.Popen(
        [sys.executable, "-m", module, *map(str, arguments)],
        # A shell that starts tests in the background has them ignore Ctrl-C, and what they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options,
        cwd=ROOT,
        text=True,
    )


def until(happens, *runs):
    """Wait until ``happens()`` is true, and return that; ``runs`` may not end before."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        ended = [run for run in runs if run.poll() is not None]
        if found := happens():
            return found
        assert not ended, [run.communicate() for run in ended]
        time.sleep(0.05)
    raise AssertionError("it did not happen")


def kernels_of(run, *, known=()):
    """The processes that run kernels, once there are any; not those that prepare a sandbox."""
    return until(lambda: [new for new in kernels_below(run.pid) if new not in known], run)


def kernels_below(pid):
    try:
        found = psutil.Process(pid).children(recursive=True)
    except psutil.Error:  # it has just ended
        return []
    return [process for process in found if _is_kernel(process)]


def _is_kernel(process):
    """Started as one, or forked twice from the zygote."""
    command = command_of(process)
    if command[1:2] == [str(sandbox.KERNEL)]:
        return True
    try:
        above = [command_of(one) for one in process.parents()[:3]]
    except psutil.Error:
        return False
    return ZYGOTE in command and [ZYGOTE in words for words in above] == [True, True, False]


def descendants(run):
    return psutil.Process(run.pid).children(recursive=True)


def command_of(process):
    try:
        return process.cmdline()
    except psutil.Error:  # it has just ended
        return []


def worker_of(kernel):
    """The process of Dask's worker that a kernel belongs to, and the one that grades in it."""
    _, _, worker, *_ = kernel.parents()
    servers = [child for child in worker.children() if "forkserver" in " ".join(command_of(child))]
    (grader,) = (child for server in servers for child in server.children())
    return worker, grader


def still_running(processes, seconds=60):
    """Those that have not ended after a while."""
    deadline = time.monotonic() + seconds
    while (left := list(filter(_runs, processes))) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


def _runs(process):
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
