"""Submissions by the dozen, graded once for all tests that look at them."""

import contextlib
import copy
import functools
import os
import re
import socket
import string
import threading
import uuid
from pathlib import Path

import nbformat
import nbgrader.api
import psutil
import pytest
from distributed import Client
from hostile import ATTACKS
from playwright.sync_api import sync_playwright
from processes import still_running

from grading.cluster import local_cluster
from grading.release import make_release
from grading.report import merge
from grading.results import PUBLISHED
from grading.run import grade_all
from grading.sandbox import Limits
from tools.notebooks.notebook_files import ROOT, read_notebook
from tools.site.lab_in_browser import HOW_TO_INSTALL, find_chromium, launch_chromium

os.environ["PYTHONPATH"] = str(ROOT)  # for the processes that grading starts
# It asks a process for it, for each new gradebook.
nbgrader.api.get_alembic_version = functools.cache(nbgrader.api.get_alembic_version)
SECRET = f"secret-{uuid.uuid4().hex}"
os.environ["INSTRUCTORS_TOKEN"] = SECRET  # the workers have it, no notebook may
ASSIGNMENTS = sorted(path.name for path in (ROOT / "solutions").iterdir() if path.is_dir())
TOPIC = "02_single_head"
CLASSMATES = ("classmate", "wild_classmate")  # the second is graded beside wild_fork_bomb
# For attacks. On an idle machine no honest cell takes more than 2 of these seconds; and a fork
# bomb that cannot be interrupted may hold up the look at its processes for more than 10.
SMALL = Limits(
    cell_seconds=20,
    submission_seconds=300,
    memory=2**30,
    processes=16,
    tasks=64,
    file_size=8 * 2**20,
    kept_output=200_000,
    output=3_000_000,
)


_running = contextlib.ExitStack()


@functools.cache
def shared_client():
    """The client of a cluster of one worker that all tests of this process share.

    It prepares for each assignment, and the tests run in several processes.
    """
    cluster = _running.enter_context(local_cluster(1, dashboard=False))
    return _running.enter_context(Client(cluster, set_as_default=False))


def connect():
    """The shared cluster, as ``grade_all`` takes it."""
    return contextlib.nullcontext(shared_client())


def pytest_sessionfinish():
    _running.close()


@pytest.fixture(scope="session")
def browser():
    executable = find_chromium()
    if executable is None:
        pytest.fail(HOW_TO_INSTALL) if os.environ.get("CI") else pytest.skip(HOW_TO_INSTALL)
    with sync_playwright() as playwright:
        chromium = launch_chromium(playwright.chromium, executable)
        yield chromium
        chromium.close()


def happenings(browser, path):
    """Open a page, let it settle, and list the scripts that ran and the addresses it asked for."""
    page = browser.new_page()
    scripts, requests, dialogs = [], [], []
    try:
        session = page.context.new_cdp_session(page)
        # Those without an address are Playwright's own.
        session.on("Debugger.scriptParsed", lambda event: scripts.append(event["url"]))
        session.send("Debugger.enable")
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: requests.append(request))
        page.goto(path.as_uri(), wait_until="load")
        page.wait_for_timeout(300)
        title = page.title()
    finally:
        page.close()
    # What a policy forbids is told as a request that failed at once.
    made = [request.url for request in requests if request.failure != "csp"]
    own = (path.as_uri(), "data:")
    found = [f"request {url}" for url in made if not url.startswith(own)]
    found += [f"script {url}" for url in scripts if url and not url.startswith("chrome-error:")]
    return found + dialogs + ["RAN"] * (title == "RAN")


@pytest.fixture(scope="session")
def release_of(tmp_path_factory):
    """A function that makes the release of an assignment, once."""
    return functools.cache(lambda name: make_release(name, tmp_path_factory.mktemp(name)))


@pytest.fixture(scope="session")
def release(release_of):
    return release_of(TOPIC)


def stored(folder, name=TOPIC):
    return read_notebook(ROOT / folder / name / f"{name}.ipynb")


# What all checks of the assignment are worth together, as the exercise itself states it.
POINTS = sum(
    cell.metadata.get("nbgrader", {}).get("points", 0) for cell in stored("exercises").cells
)


@pytest.fixture
def solution():
    return stored("solutions")


@pytest.fixture
def exercise():
    return stored("exercises")


def without_trials(notebook):
    """A copy without the cells that try an answer out or draw.

    They earn no points, and take half of the time.
    """
    changed = copy.deepcopy(notebook)
    trial = re.compile(r"\.ready\(|plt\.show\(\)")
    changed.cells = [cell for cell in changed.cells if not trial.search(cell.source)]
    return changed


def with_cell(notebook, code):
    """A copy without trials, with one more cell behind the imports."""
    changed = without_trials(notebook)
    imports = next(i for i, cell in enumerate(changed.cells) if "course_checks as" in cell.source)
    changed.cells.insert(imports + 1, nbformat.v4.new_code_cell(code))
    return changed


def hand_in(folder, student, notebook):
    folder.mkdir(exist_ok=True, parents=True)
    nbformat.write(notebook, folder / f"{student}.ipynb")


class Graded:
    """The results of one run by student, and what the notebooks printed."""

    def __init__(self, folder, results):
        self.folder = folder
        self.results = {result.student: result for result in results}
        for result in results:  # which are made of the solutions; test_alike.py asks for this line
            result.review[:] = [line for line in result.review if not line.startswith(PUBLISHED)]

    def __getitem__(self, student):
        return self.results[student]

    def printed(self, student):
        notebook = nbformat.read(self.folder / "students" / student / "graded.ipynb", as_version=4)
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        return "".join(output.get("text", "") for output in outputs)


def grade_folder(release, submissions, folder, **options):
    grade_all(release, submissions, folder, connect, **{"seed": 5} | options)
    return Graded(folder, merge(folder, release))


class Host:
    """Things on this machine that no notebook may reach, and a server that counts its visitors."""

    def __init__(self, folder):
        self.secret = SECRET
        self.visitors = 0
        self.gradebook = folder / "out" / "gradebook.db"
        self.home_file = Path.home() / f".{self.secret}"
        self.private = folder / f"{self.secret}.txt"
        self.classmate = folder / "in" / "classmate.ipynb"
        self._servers = [socket.create_server(("0.0.0.0", 0)), socket.socket(socket.AF_UNIX)]
        self._servers[1].bind("\0" + self.secret)
        self._servers[1].listen()
        self.port = self._servers[0].getsockname()[1]

    def __enter__(self):
        for path in (self.private, self.home_file):
            path.write_text(self.secret)
        for server in self._servers:
            threading.Thread(target=self._serve, args=(server,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.home_file.unlink()
        for server in self._servers:
            server.close()

    def _serve(self, server):
        while True:
            try:
                server.accept()
            except OSError:
                return
            self.visitors += 1

    def fill(self, code):
        paths = (self.gradebook, self.classmate, self.private, self.home_file, "/etc/passwd")
        return string.Template(code).safe_substitute(
            secret=self.secret,
            port=self.port,
            host=socket.gethostname(),
            connection="/tmp/none/c.json",
            paths=", ".join(repr(str(path)) for path in paths) + ",",
        )

    def processes(self):
        """What goes on running on this machine because a hostile notebook started it."""
        found = []
        for process in psutil.process_iter(["cmdline"]):
            if any(self.secret in part for part in process.info["cmdline"] or []):
                found.append(process)
        return still_running(found)


@contextlib.contextmanager
def connect_to_two():
    """A cluster of two workers: one attack is graded beside another, or beside a classmate."""
    with local_cluster(2, dashboard=False) as cluster, Client(cluster, set_as_default=False) as two:
        yield two


@pytest.fixture(scope="session")
def attacked(release, tmp_path_factory):
    """Every attack, in one run with classmates, next to a gradebook with grades."""
    folder = tmp_path_factory.mktemp("attacked")
    solution = without_trials(stored("solutions"))
    hand_in(folder / "before", "classmate", solution)
    with Host(folder) as host:
        for name in CLASSMATES:
            hand_in(folder / "in", name, solution)
        for name, (code, _, _) in ATTACKS.items():
            hand_in(folder / "in", name, with_cell(solution, host.fill(code)))
        files = [host.classmate, host.private, host.home_file]
        (folder / "out").mkdir()
        host.gradebook.write_bytes(release.gradebook.read_bytes())
        before = {path: path.read_bytes() for path in files}
        grade_all(release, folder / "in", folder / "out", connect_to_two, limits=SMALL, seed=5)
        host.intact = {path: path.read_bytes() == content for path, content in before.items()}
        host.intact[host.gradebook] = host.gradebook.read_bytes() == release.gradebook.read_bytes()
        host.left_behind = host.processes()
    return Graded(folder / "out", merge(folder / "out", release)), host
