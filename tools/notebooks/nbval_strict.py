"""A pytest plugin that closes the ways in which nbval passes a notebook that it should not.

- A notebook that was never run, in whole or in part, stops the run with exit code 4: nbval
  would compare nothing. `exercises/` are exempt; they hold no outputs, and COURSE_EXPECT guards
  them.
- A kernel that dies fails its cell within a second or two, and the rest of its notebook at once.
- A cell that fails without a traceback (`%nosuch`) fails.
- Kernels run in the fixed environment of notebook_env.py. On Linux they are forked from a process
  that has imported what the option `kernel_modules` lists, see forked_kernels.py.
- Notebooks and tests that need the real model are skipped where it is neither in the cache nor to
  be fetched; where the variable CI is set, they fail.
- The summary says how many cells ran, how many of them had an output that was compared, and how
  many of these have the tag of tolerance.py, which lets numbers differ a little.
- Where COURSE_LIVE_PAGES is set, the widgets of a page of the site that passed as a whole, and its
  figures for a phone, are kept for it, see live_widgets.py.
- With pytest-xdist (`-n 2`) a notebook's cells stay in one process, in order; refusals and the
  summary are those of all processes.

nbval compares text and HTML. It does not compare images: of a figure it sees only a line such as
`<Figure size 640x480 with 1 Axes>` and its alternative text. These are compared, but they do not
count as an output that was compared, and a notebook with nothing else is refused.
"""

import functools
import math
import os
import re
import time
from collections import Counter
from pathlib import Path
from queue import Empty
from unittest.mock import patch

import nbval.kernel
import nbval.plugin
import pytest
from jupyter_client.provisioning import local_provisioner
from nbval.plugin import IPyNbCell, IPyNbFile

from tools.notebooks.forked_kernels import KernelForks
from tools.notebooks.notebook_env import kernel_environment
from tools.notebooks.notebook_files import loads_real_model
from tools.notebooks.stored_figures import stored_png, without_pictures
from tools.notebooks.tolerance import keep_stored_numbers, tolerance

POLL_SECONDS = 1.0
NOT_COMPARED = {"image/png", "image/jpeg", "application/vnd.jupyter.widget-view+json"}
NEEDS_MODEL = "needs_real_model"
FIGURE_LINE = re.compile(r"<\w*Figure( size \S+)? with \d+ Axes>")


counts: Counter[str] = Counter()
refused: dict[str, None] = {}  # what the processes of pytest-xdist would not run, in order


class StrictKernel(nbval.kernel.RunningKernel):
    """nbval's kernel, which also notices its own death and failures without a traceback."""

    root: Path  # set by pytest_configure, both
    forks: KernelForks

    def __init__(self, kernel_name, cwd=None, startup_timeout=60):
        self.request = None  # the message id of the cell that runs
        self.failure = None  # why that cell failed, as long as no traceback has told
        # Where that is possible, jupyter_client has kernels forked.
        launch = self.forks.launch if self.forks.possible else local_provisioner.launch_kernel
        forked = patch.object(local_provisioner, "launch_kernel", launch)
        with open(os.devnull, "w") as devnull, forked:
            self.km, self.kc = nbval.kernel.start_new_kernel(
                startup_timeout=startup_timeout,
                kernel_name=kernel_name,
                stderr=devnull,
                cwd=cwd,
                env=kernel_environment(cwd, self.root),
            )
        self._ensure_iopub_up()

    def execute_cell_input(self, cell_input, allow_stdin=None):
        self.failure = None
        self.request = super().execute_cell_input(cell_input, allow_stdin)
        return self.request

    def get_message(self, stream, timeout=None):
        message = self._wait_for_message(stream, timeout)
        if self.request is None or message["parent_header"].get("msg_id") != self.request:
            return message
        kind, content = message["msg_type"], message["content"]
        if kind == "execute_reply":
            counts["run"] += 1
            if content["status"] == "error":
                self.failure = f"{content.get('ename')}: {content.get('evalue')}"
        elif kind == "error":
            self.failure = None  # nbval reports it, with its traceback
        elif kind == "status" and content["execution_state"] == "idle" and self.failure:
            raise RuntimeError(f"The cell failed without a traceback: {self.failure}")
        return message

    def _wait_for_message(self, stream, timeout):
        """Wait in short steps and look after each whether the kernel still lives."""
        deadline = math.inf if timeout is None else time.monotonic() + timeout
        while True:
            left = deadline - time.monotonic()
            try:
                return super().get_message(stream, timeout=max(0, min(POLL_SECONDS, left)))
            except Empty:
                if not self.is_alive():
                    self.kc.stop_channels()
                    self.km.cleanup_connection_file()  # nbval does it for those that live
                    raise RuntimeError("The kernel died while it ran this cell.") from None
                if left <= POLL_SECONDS:
                    raise


def has_comparable_output(outputs) -> bool:
    """Whether nbval would compare anything in these outputs that says more than "a figure"."""
    for output in outputs:
        if output.output_type == "stream":
            texts = [output.text]
        elif stored_png(output) is not None:
            texts = [output.data.get("text/plain", "")]
        else:
            data = output.get("data", {})
            texts = [value for kind, value in data.items() if kind not in NOT_COMPARED]
        for text in texts:
            if not isinstance(text, str) or FIGURE_LINE.sub("", text).strip():
                return True
    return False


def never_run(notebook_file: IPyNbFile) -> list[str]:
    """Say what in this notebook would pass only because nothing would be compared."""
    checked_cells = [
        (index, cell)
        for index, cell in enumerate(notebook_file.nb.cells)
        if cell.cell_type == "code" and "nbval-ignore-output" not in cell.metadata.get("tags", [])
    ]
    messages = [
        f"cell {index} was never run"
        for index, cell in checked_cells
        if cell.execution_count is None
    ]
    if not messages and not any(has_comparable_output(cell.outputs) for _, cell in checked_cells):
        messages = ["no cell has a text or HTML output to compare"]
    return messages


def counted_comparison(cell, test, ref, skip_compare=None):
    counts["compared"] += has_comparable_output(ref)
    if (most := tolerance(cell.cell)) is not None:
        counts["within"] += 1
        test = keep_stored_numbers(ref, test, most)
    return nbval_comparison(cell, without_pictures(test), without_pictures(ref), skip_compare)


def run_and_keep_widgets(cell):
    nbval_run(cell)
    file, root = cell.parent, cell.config.rootpath
    if "COURSE_LIVE_PAGES" not in kernel_environment(file.path.parent, root):
        return
    from tools.site import live_widgets

    cell.cell.outputs, cell.cell.passed = cell.test_outputs, True
    whole = all(code.get("passed") for code in file.nb.cells if code.cell_type == "code")
    if whole and live_widgets.is_for_the_site(file.nb):
        live_widgets.keep(file.nb, live_widgets.kept_file(file.nb, file.path, root))


nbval_comparison, nbval_run = IPyNbCell.compare_outputs, IPyNbCell.runtest
IPyNbCell.compare_outputs, IPyNbCell.runtest = counted_comparison, run_and_keep_widgets
nbval.plugin.RunningKernel = StrictKernel


def pytest_addoption(parser):
    text = "modules that kernels have from the process that they are forked from"
    parser.addini("kernel_modules", text, type="args")


def pytest_configure(config):
    StrictKernel.root = config.rootpath
    StrictKernel.forks = KernelForks(config.getini("kernel_modules"))
    config.add_cleanup(StrictKernel.forks.stop)
    config.addinivalue_line("markers", f"{NEEDS_MODEL}: needs SmolLM2, which is fetched once")
    config.addinivalue_line("markers", "nightly: too slow for each change; `make test-nightly`")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    notebooks = {item.parent.path: item.parent for item in items if isinstance(item, IPyNbCell)}
    messages = []
    for path, notebook_file in notebooks.items():
        name = path.relative_to(config.rootpath)
        if name.parts[0] != "exercises":
            remedy = f"(to run it and store its outputs: make refresh NB={name})"
            messages += [f"{name}: {text} {remedy}" for text in never_run(notebook_file)]
    if messages and hasattr(config, "workeroutput"):  # one of several processes: it may not raise
        config.workeroutput["refused"] = messages
        items.clear()
    elif messages:
        raise pytest.UsageError(*messages)


@functools.cache
def why_no_model() -> str | None:
    """Why the real model cannot be had; None when it is in the cache, or has been fetched now."""
    from course_lib.data.download import fetch
    from course_lib.data.real_model import SMOLLM2

    try:
        fetch(SMOLLM2)
    except ConnectionError as error:
        return str(error)
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if isinstance(item, IPyNbCell):
        needs_model = loads_real_model(item.parent.nb)
    else:
        needs_model = item.get_closest_marker(NEEDS_MODEL) is not None
    if needs_model and (reason := why_no_model()):
        give_up = pytest.fail if os.environ.get("CI") else pytest.skip
        give_up(f"The real model is not here: {reason}")


def pytest_terminal_summary(terminalreporter, config):
    for message in refused:
        terminalreporter.write_line(f"ERROR: {message}", red=True)
    if config.getoption("nbval", default=False):
        terminalreporter.write_line(
            f"{counts['run']} cells run, {counts['compared']} with outputs compared, "
            f"{counts['within']} of them within a tolerance"
        )


# --- several processes, with pytest-xdist ------------------------------------------------------


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["counts"] = dict(counts)
    elif refused:
        session.exitstatus = pytest.ExitCode.USAGE_ERROR


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):
    output = getattr(node, "workeroutput", {})  # a process that crashed left none
    counts.update(output.get("counts", {}))
    refused.update(dict.fromkeys(output.get("refused", [])))  # each process says the same


# Files whose tests look at one run, of the grader, of several processes or of a model in a page,
# and where each value has its own. The process that takes the most tests at once begins first, so
# that none comes last alone.
ONE_RUN = (
    "grading/tests/test_carried.py",
    "grading/tests/test_cheats.py",
    "grading/tests/test_elsewhere.py",
    "grading/tests/test_hostile.py",
    "grading/tests/test_mangled.py",
    "tests/browser/test_breaker_engine.py",
    "tests/attention/test_kernels.py",
    "tests/data/test_real_model.py",
    "tests/layout/test_import_cost.py",
    "tests/parallel/test_parallel_processes.py",
)
# These ask one model, which takes seconds and half a gigabyte.
ONE_MODEL = tuple(f"tests/site/test_{name}.py" for name in ("broken", "habits", "surprises"))
ONE_RUN_EACH = "grading/tests/test_honest.py"


def stays_together(nodeid):
    """What one process takes as a whole: a notebook, an exercise, one run, or one test."""
    path, _, test = nodeid.partition("::")
    if path.endswith(".ipynb") or path in ONE_RUN:
        return path
    if path in ONE_MODEL:
        return "SmolLM2"
    if path == ONE_RUN_EACH:
        return f"{path}::{test.partition('[')[2]}"
    # Tests of an exercise, test_...[exercise-mistake], judge on the same inputs, made once in a
    # process.
    by_exercise = r"^tests/(exercises/\w+\.py::\w+|judge/test_from_outside\.py::test_both\w+)"
    exercise = re.search(by_exercise + r"\[(\w*)", nodeid)
    return f"exercise {exercise[2]}" if exercise else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadScopeScheduling

    class TogetherWhatBelongs(LoadScopeScheduling):
        """A test goes to whichever process is free; what belongs together, as one."""

        def _split_scope(self, nodeid):
            return stays_together(nodeid)

    return TogetherWhatBelongs(config, log)
