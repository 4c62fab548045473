"""Start processes that find each other, and end them all when one fails, in a shell or a cell."""

import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta

import torch
import torch.distributed as dist

from course_lib.validation.layer_inputs import check_integer, check_positive

# What torchrun says of itself: its log, and at its end each process that failed.
OWN_LOG = re.compile(r"^[DIWE]\d{4} [\d:.]+ \d+ .*torch/distributed/.*$\n?", re.MULTILINE)
OWN_END = re.compile(r"^Traceback.*\n(  .*\n)+torch\.distributed\.elastic[\s\S]*", re.MULTILINE)
FAILED = re.compile(r"rank\s*: (\d+) \(local_rank: \d+\)\s*\n\s*exitcode\s*: (-?\d+)")
# What one of ours says, up to a mark of its end that no screen shows.
RAISED = re.compile(r"Rank \d+ ended with an error:\n.*?(?=\x1e)", re.DOTALL)


@contextmanager
def process_group(*, seconds: float = 300) -> Iterator[torch.device]:
    """Join the other processes that torchrun started, and give the device of this one.

    Where each process can have a GPU of its own, they talk over NCCL, otherwise on CPUs over gloo.
    An error in one process ends it with its traceback, and so the others; and none outlives
    torchrun.

    Args:
        seconds: how long one rank waits for another before it gives up.

    Raises:
        RuntimeError: torchrun did not start this process, or the others cannot be reached.
    """
    if "LOCAL_RANK" not in os.environ:
        raise RuntimeError(
            "Several processes are needed, and torchrun starts them:  python -m "
            "torch.distributed.run --standalone --nproc-per-node 2 -m course_lib.parallel tensor"
        )
    _end_with(os.getppid())
    sys.excepthook = _end_with_traceback
    local_rank, count = int(os.environ["LOCAL_RANK"]), int(os.environ["LOCAL_WORLD_SIZE"])
    has_gpus = dist.is_nccl_available() and torch.cuda.device_count() >= count
    device = torch.device("cuda", local_rank) if has_gpus else torch.device("cpu")
    if has_gpus:
        torch.cuda.set_device(device)
    dist.init_process_group(
        "nccl" if has_gpus else "gloo",
        timeout=timedelta(seconds=seconds),
        device_id=device if has_gpus else None,  # else NCCL guesses it from the rank
    )
    yield device
    # Not after an error: the others would be asked to agree, and wait.
    dist.destroy_process_group()


def check_rank(rank: int, world_size: int) -> None:
    """Refuse what is no rank among ``world_size``."""
    check_positive(world_size=world_size)
    check_integer("rank", rank)
    if not 0 <= rank < world_size:
        raise ValueError(f"rank must be 0 to {world_size - 1}, got {rank}")


def _end_with(parent: int) -> None:
    """A process whose launcher was killed would wait for the others: it ends itself instead."""

    def watch():
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _end_with_traceback(kind, error, trace) -> None:
    """Write the traceback in one piece, since several processes may write at once, and end.

    At once: while Python tidies up, threads of gloo that lost a connection may abort the process.
    """
    text = "".join(traceback.format_exception(kind, error, trace))
    os.write(2, f"Rank {os.environ['RANK']} ended with an error:\n{text}\x1e\n".encode())
    sys.stdout.flush()
    os._exit(1)


def run_processes(
    arguments: Sequence[str], processes: int, *, seconds: float = 300, show: bool = True
) -> str:
    """Run a program in several processes of torchrun, and show what they print as it comes.

    For a cell of a notebook. When one process fails, when the cell is interrupted or when the time
    is over, all are ended.

    Args:
        arguments: what stands behind torchrun's own options: a file and its arguments, or
            ``["-m", "course_lib.parallel", "tensor"]``.
        processes: how many.
        seconds: how long they may take.
        show: whether to print it.

    Returns:
        what they printed.

    Raises:
        TypeError, ValueError: ``processes`` is not a positive integer.
        RuntimeError: a process failed; with the traceback of the first one that did.
        TimeoutError: they were not ready in time.
    """
    check_positive(processes=processes)
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    options = ["--nproc-per-node", str(processes), "--log-dir", os.devnull]
    launcher = subprocess.Popen(
        [*torchrun, *options, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env={"OMP_NUM_THREADS": "1"} | os.environ,  # threads of several processes would compete
    )
    try:
        printed, errors = _follow(launcher, time.monotonic() + seconds, show)
        if launcher.returncode != 0:
            raise RuntimeError(_what_failed(errors, processes, launcher.returncode))
    except TimeoutError:
        raise TimeoutError(f"{processes} processes were not ready in {seconds} seconds") from None
    finally:  # torchrun ends its processes; where it does not, they end themselves
        if launcher.poll() is None:
            launcher.terminate()
            try:
                launcher.wait(timeout=40)
            except subprocess.TimeoutExpired:
                launcher.kill()
                launcher.wait()
    print(OWN_LOG.sub("", errors), end="", file=sys.stderr)
    return printed


def _follow(launcher: subprocess.Popen, deadline: float, show: bool) -> tuple[str, str]:
    """Return the two streams when the launcher has ended."""
    lines: queue.Queue = queue.Queue()
    text = {"out": "", "err": ""}

    def read(name, stream):
        with stream:
            for line in stream:
                lines.put((name, line))

    readers = []
    for name, stream in (("out", launcher.stdout), ("err", launcher.stderr)):
        readers.append(threading.Thread(target=read, args=(name, stream), daemon=True))
        readers[-1].start()
    while not lines.empty() or launcher.poll() is None or any(r.is_alive() for r in readers):
        if time.monotonic() > deadline:
            raise TimeoutError
        try:
            name, line = lines.get(timeout=0.1)
        except queue.Empty:
            continue
        text[name] += line
        if show and name == "out":
            print(line, end="", flush=True)
    return text["out"], text["err"]


def _what_failed(errors: str, processes: int, code: int) -> str:
    """The process that failed first: one that was killed, or the first traceback.

    The others then lose their connection and say so, or torchrun ends them by SIGTERM.
    """
    if code < 0:
        return f"torchrun was killed by signal {-code} ({signal.Signals(-code).name})."
    for rank, status in FAILED.findall(errors):
        if int(status) < 0 and -int(status) != signal.SIGTERM:
            name = signal.Signals(-int(status)).name
            return f"Rank {rank} of {processes} was killed by signal {-int(status)} ({name})."
    if raised := RAISED.search(errors):
        return raised[0].rstrip()
    errors = OWN_END.sub("", OWN_LOG.sub("", errors))
    return f"{processes} processes ended with exit code {code}:\n{errors.rstrip()}"
