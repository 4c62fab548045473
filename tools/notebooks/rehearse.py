"""Run lessons from top to bottom on a device that is not the CPU, on a GPU solutions as well.

``best_device()`` returns the pretend device of ``pretend_device.py`` (or, with ``--device cuda``, a
real GPU). Each notebook runs in a process of its own, as many at once as there are processors.

What is rehearsed is where tensors are, not what comes out. So training, timing and, in lessons,
what a model writes are cut short, and outputs are not compared. Processes that a cell starts never
see the pretend device: each program is started once, not again with its cell. (All this is in
``short_training.py``.) A notebook is red when

- a cell raises anything, or does so when it is run again after the last, as students do who go
  back (cells of lessons, from the last to the first: none may lean on a name's earlier meaning),
- the pretend device refused something, even where an ``except`` of the notebook, a check or a
  display hid it, or
- it asks for ``best_device()`` and computes nothing on it.

Nothing is tolerated: no cell of the course raises because training was cut. The checks of
``solutions/`` have to be passed, here as elsewhere. They never ask for a device, so the pretend one
would show nothing of them.
"""

import argparse
import contextlib
import io
import multiprocessing
import os
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor, as_completed
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tools.notebooks.notebook_env import kernel_environment
from tools.notebooks.notebook_files import (
    EXECUTED_FOLDERS,
    ROOT,
    find_notebooks,
    loads_real_model,
    read_notebook,
)
from tools.notebooks.short_training import (
    once_timed,
    shorten_training,
    shorten_writing,
    start_processes_once,
)

TIME_LIMIT = 600  # seconds for one notebook
ASKING = "best_device()"
LESSONS = "notebooks"
GPUS = os.environ.get("CUDA_VISIBLE_DEVICES", "0")

# Imported once by the process that others are forked from.
IMPORTED_ONCE = ["torch", "torch._dynamo", "matplotlib.pyplot", "IPython", "pandas", "seaborn"]


def rehearse(path: Path, device_name: str, again: bool = True) -> list[str]:
    """Run a notebook in this process, which is of no other use afterwards; return what is wrong.

    Lessons ``again``, from their last cell to the first.
    """
    import matplotlib

    matplotlib.use("agg")
    import torch
    from IPython.core.interactiveshell import InteractiveShell
    from matplotlib import pyplot
    from traitlets.config import Config

    import course_lib

    refusals: list[str] = []
    if device_name == "pretend":
        from tools.notebooks import pretend_device

        refusals = pretend_device.refusals
    device = torch.device(device_name)
    course_lib.best_device = course_lib.device.best_device = lambda: device
    shorten_training()
    start_processes_once()
    if path.parent.name == LESSONS:
        shorten_writing()

    os.chdir(path.parent)
    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    wrong: list[str] = []

    def run(index: int, source: str, when: str = "") -> None:
        before = len(refusals)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            result = shell.run_cell(once_timed(source))
        pyplot.close("all")
        error = result.error_before_exec or result.error_in_exec
        if error is not None:
            wrong.append(f"cell {index}{when}: {type(error).__name__}: {error}{way_to(error)}")
        wrong.extend(
            f"cell {index}{when}: refused, though the cell went on: {refusal}"
            for refusal in refusals[before:]
            if refusal.splitlines()[0] not in str(error)
        )

    cells = read_notebook(path).cells
    code = [(index, cell.source) for index, cell in enumerate(cells) if cell.cell_type == "code"]
    for index, source in code:
        run(index, source)
    if again and path.parent.name == LESSONS and not wrong:
        for index, source in reversed(code):
            run(index, source, " again, after the last")
    asks_for_device = any(ASKING in source for _, source in code)
    if device_name == "pretend" and asks_for_device and not pretend_device.operations:
        wrong.append(f"it asks for {ASKING}, but nothing was computed there")
    return wrong


def way_to(error: BaseException) -> str:
    """The last lines of the notebook and of the course that led to the error."""
    lines = [
        f"\n    {Path(frame.filename).name}, line {frame.lineno}: {frame.line}"
        for frame in traceback.extract_tb(error.__traceback__)
        if not {"site-packages", "importlib"} & set(Path(frame.filename).parts)
        and Path(frame.filename).name != "pretend_device.py"
    ]
    return "".join(lines[-3:])


def notebooks_for(device_name: str, root: Path, few: bool = False) -> list[Path]:
    """Lessons and solutions; for the pretend device those that ask for one.

    With ``few``, those without the real model, whose two lessons take as long as all others.
    """
    paths = find_notebooks(root, EXECUTED_FOLDERS)
    if few:
        paths = [path for path in paths if not loads_real_model(read_notebook(path))]
    if device_name != "pretend":
        return paths
    return [path for path in paths if ASKING in path.read_text(encoding="utf-8")]


def rehearse_apart(
    path: Path, device_name: str, root: Path = ROOT, again: bool = True
) -> tuple[bool, str]:
    """Rehearse a notebook in a process of its own; return whether it is all right, and a report."""
    start = time.monotonic()
    processes = processes_for(device_name)
    receiver, sender = processes.Pipe(duplex=False)
    environment = kernel_environment(path.parent, root)
    if device_name == "cuda":
        environment["CUDA_VISIBLE_DEVICES"] = GPUS  # kernels see none
    arguments = (path, device_name, again, environment, sender)
    process = processes.Process(target=_rehearse_and_send, args=arguments)
    process.start()
    sender.close()
    wrong = None
    if receiver.poll(TIME_LIMIT):
        with contextlib.suppress(EOFError):  # the process has died
            wrong = receiver.recv()
    else:
        wrong = [f"It was stopped after {TIME_LIMIT} seconds."]
        process.kill()
    process.join()
    if wrong is None:
        wrong = [f"Its process ended with {process.exitcode}."]
    mark, seconds = "RED" if wrong else "ok ", time.monotonic() - start
    title = f"{mark} {seconds:4.0f} s  {path.relative_to(root)}\n"
    return not wrong, title + "".join(f"  {text}\n" for text in wrong)


def processes_for(device_name: str) -> Any:
    """How processes are started: forked, where that is possible and CUDA does not forbid it."""
    if sys.platform != "linux" or device_name == "cuda":
        return multiprocessing.get_context("spawn")
    forked = multiprocessing.get_context("forkserver")
    forked.set_forkserver_preload(IMPORTED_ONCE)
    return forked


def _rehearse_and_send(
    path: Path, device_name: str, again: bool, environment: dict[str, str], sender: Connection
) -> None:
    os.environ.update(environment)
    sender.send(rehearse(path, device_name, again))


def main(words: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "notebooks", nargs="*", type=Path, help="default: lessons, on a GPU solutions too"
    )
    parser.add_argument("--device", choices=("pretend", "cuda"), default="pretend")
    parser.add_argument(
        "--few", action="store_true", help="none that loads the real model, and no cell again"
    )
    arguments = parser.parse_args(words)
    paths = [path.resolve() for path in arguments.notebooks]
    if arguments.device == "pretend":
        from tools.notebooks.pretend_device import MISSING

        if MISSING:
            print(f"{'!' * 80}\nNOTHING WAS REHEARSED: {MISSING}.\n{'!' * 80}", file=sys.stderr)
            return 0
    # The last lessons, which take longest, first: no long one is left alone at the end.
    paths = sorted(paths or notebooks_for(arguments.device, root, arguments.few), reverse=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        how = arguments.device, root, not arguments.few
        ends = [pool.submit(rehearse_apart, path, *how) for path in paths]
        for end in as_completed(ends):
            print(end.result()[1], end="", flush=True)
    red = sum(not end.result()[0] for end in ends)
    print(f"On the device {arguments.device!r}: {len(paths)} notebooks rehearsed, {red} red.")
    return int(red > 0)


if __name__ == "__main__":
    # Here already: torch reads the number of threads when it is imported.
    os.environ.update(kernel_environment(ROOT, ROOT))
    sys.exit(main())
