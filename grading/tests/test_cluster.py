"""Workers and clients that are killed, come late or come back: nothing lost, nothing twice."""

import contextlib
import os
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import MagicMock

import dask
import nbformat
import psutil
import pytest
from distributed import Client, KilledWorker
from made_results import rows
from processes import (
    command,
    descendants,
    graded,
    kernels_below,
    kernels_of,
    still_running,
    until,
    worker_of,
)

from conftest import (
    POINTS,
    TOPIC,
    connect,
    grade_folder,
    hand_in,
    stored,
    with_cell,
    without_trials,
)
from grading import __main__ as program
from grading import launch
from grading import run as run_module
from grading import worker as worker_module
from grading.cluster import TRIES, local_cluster, security_for
from grading.job import Settings
from grading.results import PUBLISHED, read_result
from grading.run import grade_all
from grading.sandbox import Limits, sandbox_command
from grading.submissions import find_submissions
from grading.worker import Grader, digest_of_programs
from tools.notebooks.notebook_files import ROOT


def make_keys(folder):
    subprocess.run(["make", "-s", "grade-keys", f"TLS={folder}"], cwd=ROOT, check=True)


def make(target, **variables):
    """A target of the Makefile, as its recipe runs, with what is installed already."""
    options = {name: variables.pop(name) for name in ("stdout", "stderr") if name in variables}
    settings = [f"{name}={value}" for name, value in variables.items()]
    program = ["make", "-s", "-o", ".venv/.installed-grading", target, *settings]
    return subprocess.Popen([*program, f"VENV_PYTHON={sys.executable}"], cwd=ROOT, **options)


@contextlib.contextmanager
def ending(run):
    """End a command and all that it started."""
    try:
        yield
    finally:
        if run.poll() is None:
            family = [psutil.Process(run.pid), *descendants(run)]
            for process in family:
                with contextlib.suppress(psutil.Error):
                    process.kill()
        run.wait()


def test_many_machines_and_all_their_accidents(tmp_path, release):
    """The client is killed, a worker comes late, another is killed with a submission in hand."""
    folder, out, keys = tmp_path / "in", tmp_path / "out", tmp_path / "keys"
    students = [f"s{number}" for number in range(5)]
    for name in students:
        # Long enough to be found in the middle of it.
        code = f"import time; time.sleep(5)  # {name}"
        hand_in(folder, name, with_cell(stored("solutions"), code))
    make_keys(keys)
    log = tmp_path / "scheduler.log"
    with contextlib.ExitStack() as stack, log.open("w") as file:
        own = {"HOST": "127.0.0.1", "PORT": 0, "TLS": keys}
        scheduler = make("grade-scheduler", **own, stderr=file)
        stack.enter_context(ending(scheduler))
        found = until(lambda: re.search(r"tls://127\.0\.0\.1:\d+", log.read_text()), scheduler)

        def start(run):
            stack.enter_context(ending(run))
            return run

        def worker():
            own = {"SCHEDULER": found[0], "TLS": keys, "WORKERS": 1}
            return start(make("grade-worker", **own, stdout=file, stderr=file))

        def grade():
            cluster = ("--out", out, "--scheduler", found[0], "--tls", keys)
            return start(command("grade", TOPIC, folder, *cluster, stdout=file, stderr=file))

        first = worker()
        lost = grade()
        until(lambda: graded(out), lost, first)
        kernels_of(first)
        lost.kill()
        lost.wait()
        done = {path: path.read_bytes() for path in graded(out)}
        assert 1 <= len(done) < len(students) - 1

        # The scheduler still has the run's release, so who comes late prepares at once.
        late = worker()
        until(lambda: log.read_text().count(f"Ready to grade {TOPIC}") == 2, first, late)
        back = grade()
        kernels_of(late)
        (kernel, *_) = kernels_of(first)
        process, grader = worker_of(kernel)
        process.kill()  # its nanny starts another
        assert still_running([kernel, grader, process]) == []
        until(lambda: back.poll() is not None, first, late)
        assert back.returncode == 0, log.read_text()
    assert [row["student"] for row in rows(out / "scores.csv")] == students
    assert {row["score"] for row in rows(out / "scores.csv")} == {f"{POINTS:g}"}
    assert all(row["reasons"].startswith(PUBLISHED) for row in rows(out / "review.csv"))
    assert {path: path.read_bytes() for path in done} == done  # not graded again
    assert sorted(path.name for path in (out / "students").iterdir()) == students


def test_a_killed_run_on_one_machine_leaves_no_process_and_goes_on(tmp_path, release):
    folder, out = tmp_path / "in", tmp_path / "out"
    (tmp_path / "in").mkdir()
    (folder / "anna.ipynb").write_text("")
    hand_in(folder, "ben", with_cell(stored("solutions"), "import time; time.sleep(5)"))
    run = command("grade", TOPIC, folder, "--out", out, "--workers", 1)
    kernels_of(run)
    family = descendants(run)
    run.kill()
    run.wait()
    assert still_running(family, seconds=200) == []
    first = (out / "students" / "anna" / "result.json").read_bytes()
    results = grade_folder(release, folder, out, seed=None).results
    assert {name: result.score for name, result in results.items()} == {"anna": 0, "ben": POINTS}
    assert (out / "students" / "anna" / "result.json").read_bytes() == first


@contextlib.contextmanager
def killing_a_grader():
    """Kill the process that grades in the first kernel that this process's workers start."""
    over = threading.Event()

    def watch():
        while not over.is_set():
            for kernel in kernels_below(os.getpid()):
                with contextlib.suppress(psutil.Error, IndexError):
                    worker_of(kernel)[1].kill()
                    return
            time.sleep(0.05)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def task_of(grader, notebook, folder):
    hand_in(folder, "anna", without_trials(notebook))
    return run_module._task(grader, "anna", [folder / "anna.ipynb"])


@pytest.fixture
def grader(release, tmp_path):
    """A grader on a worker of its own, which is this process."""
    grader = Grader(release, Settings(Limits(), True, 5))
    yield grader
    grader.teardown(MagicMock())


def test_a_zygote_that_was_killed_is_started_again(grader, tmp_path, solution):
    assert grader._prepare(tmp_path) is None
    (zygote,) = worker_module.ZYGOTES.values()
    zygote.kill()
    zygote.wait()
    result = grader.grade(task_of(grader, solution, tmp_path / "in")).result
    assert result.score == POINTS and result.review == []
    assert [process.poll() for process in worker_module.ZYGOTES.values()] == [None]
    (another,) = worker_module.ZYGOTES.values()
    grader.teardown(MagicMock())
    assert worker_module.ZYGOTES == {} and another.poll() is not None


def test_a_worker_has_one_zygote_for_all_its_assignments(grader, tmp_path, release, solution):
    assert grader._prepare(tmp_path) is None
    other = Grader(release, Settings(Limits(), True, 6))
    assert other._prepare(tmp_path) is None
    assert list(worker_module.ZYGOTES) == [other.workplace]
    result = grader.grade(task_of(grader, solution, tmp_path / "in")).result
    assert result.score == POINTS and result.review == []
    assert list(worker_module.ZYGOTES) == [grader.workplace]
    other.teardown(MagicMock())
    assert list(worker_module.ZYGOTES) == [grader.workplace]


def test_where_no_process_can_join_a_sandbox_kernels_start_in_it(
    grader, tmp_path, solution, monkeypatch
):
    monkeypatch.setattr(worker_module, "can_fork", lambda *_: False)
    assert grader._prepare(tmp_path) is None
    assert worker_module.ZYGOTES == {}
    solution.cells.append(nbformat.v4.new_code_cell("import os; print('above:', os.getppid())"))
    graded = grader.grade(task_of(grader, solution, tmp_path / "in"))
    assert graded.result.score == POINTS and graded.result.review == []
    assert "above: 0" not in graded.notebook and "above: " in graded.notebook


def test_a_sandbox_that_shares_a_namespace_with_this_machine_is_not_joined(grader, tmp_path):
    assert grader._prepare(tmp_path) is None
    connection_dir = grader.workplace / "t"
    command = [*sandbox_command(Limits(), connection_dir, None), *launch.SLEEPER]
    command.insert(command.index("--unshare-all") + 1, "--share-net")
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        with pytest.raises(RuntimeError, match="the sandbox has no net namespace of its own"):
            launch.fork_into(process, grader.workplace / launch.ZYGOTE, ["x"], Limits())
        assert process.wait(60)  # it is ended


def hand_in_a_class(folder):
    hand_in(folder, "anna", with_cell(stored("solutions"), "import time; time.sleep(20)"))
    for number in range(3):
        (folder / f"empty{number}.ipynb").write_text("")


def test_a_submission_whose_workers_come_to_an_end_is_given_up_and_tried_again(tmp_path, release):
    """The scheduler's word for it, without workers that are killed three times."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "anna.ipynb").write_text("")
    inbox = find_submissions(tmp_path / "in")
    grader = Grader(release, Settings(Limits(), True, 5))
    task = run_module._task(grader, "anna", inbox.students["anna"])
    future = MagicMock(status="error")
    future.exception.return_value = KilledWorker("anna", MagicMock(), TRIES)
    result = run_module._result_of(future, task, grader, release).result
    assert result.review == [
        "could not be graded: each worker that graded it came to an end: "
        "look at the notebook and grade it by hand"
    ]
    assert result.score == 0 and result.max_score == POINTS
    assert result.key != task.key  # so that the next run tries again


def test_grader_that_is_killed_leaves_a_result_for_review(tmp_path, release):
    hand_in_a_class(tmp_path / "in")
    with killing_a_grader():
        results = grade_folder(release, tmp_path / "in", tmp_path / "out")
    (said,) = results["anna"].review
    assert said.startswith("could not be graded: the grader ended with exit code -9: ")
    assert results["anna"].score == 0


def test_a_grader_that_does_not_end_is_ended(monkeypatch):
    context = MagicMock()
    process = context.Process.return_value
    receiver = MagicMock(poll=lambda seconds: False)
    context.Pipe.return_value = (receiver, MagicMock())
    monkeypatch.setattr(worker_module.multiprocessing, "get_context", lambda _: context)
    assert worker_module._in_a_process(1, print) == (None, "the grader did not end in time")
    process.kill.assert_called_once()


SERVER = """
import os, signal
from multiprocessing import forkserver
from grading import worker

worker.PRELOAD[:] = ["grading.worker"]
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
print(worker._start_server(), flush=True)
print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []), flush=True)
os.kill(forkserver._forkserver._forkserver_pid, signal.SIGKILL)
print(worker._in_a_process(60, divmod, 7, 2), flush=True)
print(worker._in_a_process(60, divmod, 7, 0), flush=True)
os.environ["PYTHONPATH"] += ":" + os.environ["BROKEN"]
worker.PRELOAD[:] = ["ends_at_once"]
forkserver._forkserver._stop()
print(worker._start_server())
"""


def test_a_server_of_graders_that_ends_is_started_again_or_told(tmp_path):
    (tmp_path / "ends_at_once.py").write_text("raise SystemExit")
    environment = os.environ | {"BROKEN": str(tmp_path)}
    said = subprocess.run(
        [sys.executable, "-c", SERVER], env=environment, capture_output=True, text=True, timeout=300
    )
    assert said.stdout.splitlines() == [
        "None",
        "True",  # Ctrl-C is still held back where it was
        "((3, 1), '')",
        "(None, 'the grader ended with ZeroDivisionError: integer division or modulo by zero')",
        "no grader starts: the server that starts graders ended.",
    ], said.stderr


def test_a_second_run_into_the_same_folder_is_refused(tmp_path, release):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "anna.ipynb").write_text("")

    @contextlib.contextmanager
    def connect_and_look():
        with pytest.raises(ValueError, match="Another run writes into OUT="):
            grade_all(release, tmp_path / "in", tmp_path / "out", connect)
        with connect() as client:
            yield client

    grade_all(release, tmp_path / "in", tmp_path / "out", connect_and_look)
    assert read_result(tmp_path / "out" / "students" / "anna").score == 0


def test_a_worker_with_another_copy_of_the_course_says_so(tmp_path, release):
    grader = Grader(release, Settings(Limits(), True, 5))
    grader.copy["course_lib"] = "older"
    assert "course_lib differ" in grader._prepare(tmp_path)
    assert not grader.is_ready


def test_another_program_is_another_copy_and_another_test_is_none(tmp_path):
    (tmp_path / "tests").mkdir()
    digests = []
    for name, text in (("a.py", "1"), ("a.py", "2"), ("b.py", ""), ("tests/test_a.py", "1")):
        (tmp_path / name).write_text(text)
        digests.append(digest_of_programs(tmp_path))
    assert len({*digests}) == 3 and digests[2] == digests[3]


def test_runs_under_other_conditions_do_not_share_a_grader(release):
    names = {
        Grader(release, Settings(limits, sandbox, seed)).name
        for limits, sandbox, seed in (
            (Limits(), True, 5),
            (Limits(), True, 6),
            (Limits(), False, 5),
            (Limits(cell_seconds=1), True, 5),
            (Limits(), True, 5),
        )
    }
    assert len(names) == 4


@pytest.mark.parametrize("address", ["tcp://far.away:8786", "far.away:8786", "http://localhost"])
def test_no_cluster_is_reached_over_a_network_without_encryption(address):
    with pytest.raises(ValueError, match="should be tls://HOST:8786"):
        security_for(address, None)


def test_keys_are_asked_for_and_made_once(tmp_path):
    with pytest.raises(ValueError, match="make grade-keys TLS=folder"):
        security_for("tls://far.away:8786", None)
    assert security_for("tcp://localhost:8786", None) is None
    make_keys(tmp_path / "keys")
    modes = [oct(path.stat().st_mode & 0o077) for path in (tmp_path / "keys").iterdir()]
    assert modes == ["0o0"] * 2
    assert security_for("tls://far.away:8786", tmp_path / "keys").require_encryption
    with pytest.raises(subprocess.CalledProcessError):
        make_keys(tmp_path / "keys")


def test_who_has_no_certificate_reaches_nothing(tmp_path):
    """Neither over TCP nor with a certificate of their own; not even on this machine."""
    with connect() as client:
        address = client.scheduler.address
    assert address.startswith("tls://127.0.0.1:")
    make_keys(tmp_path / "keys")
    for strange, security in (
        (address.replace("tls:", "tcp:"), None),
        (address, security_for(address, tmp_path / "keys")),
    ):
        with pytest.raises((OSError, TimeoutError)):
            Client(strange, security=security, timeout=5, set_as_default=False)
    ports = {port.laddr for port in psutil.Process().net_connections() if port.status == "LISTEN"}
    assert {port.ip for port in ports} == {"127.0.0.1"}


def test_a_scheduler_that_is_not_there_is_named(tmp_path, capfd):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "anna.ipynb").write_text("")
    arguments = ["--out", str(tmp_path / "out"), "--scheduler", "tcp://127.0.0.1:1"]
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        assert program.main(["grade", TOPIC, str(tmp_path / "in"), *arguments]) == 2
    assert "No scheduler answers at SCHEDULER=tcp://127.0.0.1:1" in capfd.readouterr().err


def test_a_run_whose_workers_all_ended_says_so_and_goes_on_or_gives_up(
    tmp_path, release, monkeypatch, capfd
):
    """Dask does not replace a worker that was killed while it started."""
    monkeypatch.setattr(run_module, "LOOK", 0.2)
    hand_in_a_class(tmp_path / "in")
    said = []

    def waits():
        said.append(capfd.readouterr().err)
        return "There are no workers left." in "".join(said)

    with (
        local_cluster(1, dashboard=False) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        sent = []
        submit = client.submit

        def submit_and_count(*arguments, **options):
            assert sum(not future.done() for future in sent) == 0, "one worker, and two to grade"
            sent.append(submit(*arguments, **options))
            return sent[-1]

        monkeypatch.setattr(client, "submit", submit_and_count)
        with ThreadPoolExecutor(1) as pool:
            run = pool.submit(
                grade_all,
                release,
                tmp_path / "in",
                tmp_path / "out",
                lambda: contextlib.nullcontext(client),
            )
            until(lambda: kernels_below(os.getpid()))
            cluster.scale(0)
            until(waits)
            cluster.scale(1)  # one that comes late
            until(lambda: kernels_below(os.getpid()))
            monkeypatch.setattr(run_module, "WITHOUT_WORKERS", 0)
            cluster.scale(0)
            with pytest.raises(ConnectionError, match="the same command goes on"):
                run.result(timeout=600)
    assert not (tmp_path / "out" / "students" / "anna").exists()
    hand_in(tmp_path / "in", "anna", without_trials(stored("solutions")))  # nobody has to wait
    results = grade_folder(release, tmp_path / "in", tmp_path / "out", seed=None)
    assert results["anna"].score == POINTS and len(results.results) == 4
