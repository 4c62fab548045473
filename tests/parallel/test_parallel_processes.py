"""Real processes: equal to one, ended together, nothing left. Several tests ask of one start."""

import io
import os
import random
import signal
import socket
import subprocess
import sys
import time
import uuid
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

import pytest

from course_lib.parallel import run_processes
from tools.notebooks.notebook_files import ROOT

RANKS = str(ROOT / "tests" / "parallel_ranks.py")
# Of each case: how many lines say that it equals one process, and how many count bytes.
LINES = {"tensor": (4, 2), "dtensor": (3, 0), "block": (4, 4), "step": (1, 0)}
LINES |= {"ring": (2, 1), "ring-causal": (2, 1)}
PROC = Path("/proc")
LIMIT = 500  # seconds, for a machine that does much else; nothing here waits so long by itself
needs_proc = pytest.mark.skipif(not PROC.is_dir(), reason="processes are looked for in /proc")


def left_running(token):
    """The processes that were started with this token in their environment."""
    found = []
    for folder in PROC.iterdir() if PROC.is_dir() else []:
        try:
            if token.encode() in (folder / "environ").read_bytes() and folder.name.isdigit():
                found.append(int(folder.name))
        except OSError:  # it has ended, or is another's
            continue
    return [pid for pid in found if pid != os.getpid()]


def wait_until(is_true, what):
    end = time.monotonic() + LIMIT
    while not is_true():
        assert time.monotonic() < end, what
        time.sleep(0.1)


@contextmanager
def watched():
    """A token stands in the environment of all that is started; at the end none may be left."""
    token = f"course-test-{uuid.uuid4()}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSE_TEST_TOKEN", token)
        patch.setenv("PYTHONPATH", os.pathsep.join(["tests", os.environ.get("PYTHONPATH", "")]))
        patch.setenv("CUDA_VISIBLE_DEVICES", "")  # all on the CPU, wherever this runs
        patch.chdir(ROOT)
        yield token
        wait_until(lambda: not left_running(token), f"left running: {left_running(token)}")


@pytest.fixture
def token():
    with watched() as token:
        yield token


def one_start(tasks, processes):
    """Return what the tasks of ``parallel_ranks`` printed, and the error that ended them or None.

    They run one after another. A test finds its own in what was printed, and shows the error.
    """
    printed, error = io.StringIO(), None
    with watched(), redirect_stdout(printed):
        try:
            run_processes([RANKS, *tasks], processes, seconds=LIMIT)
        except (RuntimeError, TimeoutError) as caught:
            error = caught
    return printed.getvalue(), error


@pytest.fixture(scope="module")
def three_ranks():
    return one_start(["real:random", "failing:raises"], 3)


@pytest.fixture(scope="module")
def four_ranks():
    others = f"others:{random.randrange(2**31)}"
    return one_start(["every_case", others, "broken", "not_divided", "failing:killed"], 4)


@pytest.fixture
def used_ports(monkeypatch):
    """The port that torchrun takes by itself, and one that the environment names: both in use."""
    with socket.socket() as named, socket.socket() as usual:
        named.bind(("", 0))
        named.listen()
        try:
            usual.bind(("", 29500))
            usual.listen()
        except OSError:  # then somebody else has it, which does as well
            pass
        monkeypatch.setenv("MASTER_PORT", str(named.getsockname()[1]))
        monkeypatch.setenv("MASTER_ADDR", "127.0.0.1")
        yield


def check_cases(printed, processes, cases):
    lines = printed.splitlines()
    equal, counted = (sum(numbers) for numbers in zip(*map(LINES.get, cases), strict=True))
    assert sum(f"equal to one process, on all {processes} ranks" in line for line in lines) == equal
    counts = [line for line in lines if "bytes sent by each rank, predicted" in line]
    assert len(counts) == counted
    if sys.platform == "linux":
        assert all(line.endswith("counted: 1.00 times as many") for line in counts)
    plans = [line for line in lines if line.startswith("rank")]
    assert len(plans) == processes and plans[1].startswith("rank 1 meets the keys of part: 1 0")


def test_cases_equal_one_process_as_a_reader_starts_them(token, used_ports, capfd):
    cases = ["tensor", "ring-causal"]
    printed = run_processes(["-m", "course_lib.parallel", *cases], 2, seconds=LIMIT)
    check_cases(printed, 2, cases)
    shown = capfd.readouterr()
    assert shown.out == printed and shown.err == ""


def test_every_case_equals_one_process_in_four(four_ranks):
    printed, error = four_ranks
    assert "fresh numbers of seed" in printed, error
    check_cases(printed.partition("fresh numbers of seed")[0], 4, LINES)


def test_other_settings_on_fresh_numbers_equal_one_process(four_ranks):
    printed, error = four_ranks  # the seed stands in what was printed
    assert "\nother settings: equal to one process\n" in printed, f"{printed}\n{error}"


def test_what_is_wrong_is_seen_by_the_cases(four_ranks):
    printed, error = four_ranks
    assert "\n14 breaks seen\n" in printed, error


def test_a_model_of_the_shape_of_smollm2_in_three_processes(three_ranks):
    printed, error = three_ranks
    lines = printed.splitlines()
    assert "begun" in lines, error
    assert lines[0] == "query heads of each rank: 3, key heads: 1"
    assert lines[1] == "logits of 5 tokens: equal to one process, but for rounding"
    # 4 sums of 5 x 576 x 4 bytes
    assert lines[3] == "sent by each rank: 61,440 bytes, predicted"


@pytest.mark.nightly
@pytest.mark.needs_real_model
def test_smollm2_itself_in_three_processes():
    printed, error = one_start(["real:trained"], 3)
    lines = printed.splitlines()
    assert "'The capital of France is' goes on with ' Paris'" in lines, error
    assert lines[-1] == "sent by each rank: 921,600 bytes, predicted"


# --- failures -----------------------------------------------------------------------------------


def test_a_rank_that_raises_ends_the_others_and_its_traceback_is_shown(three_ranks):
    printed, error = three_ranks
    text = str(error)
    assert text.startswith("Rank 1 ended with an error:\nKeyError: 'its cause'\n")
    assert "\nTraceback (most recent call last):\n" in text and "parallel_ranks.py" in text
    assert text.endswith("ValueError: broken\n\non purpose")
    assert "torch.distributed.elastic" not in text and "Rank 2" not in text
    assert printed.endswith("\nbegun\n")


def test_a_rank_that_is_killed_ends_the_others(four_ranks):
    printed, error = four_ranks
    assert str(error) == "Rank 1 of 4 was killed by signal 9 (SIGKILL)."
    assert printed.endswith("\nbegun\n")


def test_heads_that_do_not_divide_are_told(four_ranks):
    printed, error = four_ranks
    assert "world_size must divide num_heads 9, got 4" in printed, error


def test_what_takes_too_long_is_ended(token):
    with pytest.raises(TimeoutError, match="2 processes were not ready in 0.1 seconds"):
        run_processes([RANKS, "failing:waits"], 2, seconds=0.1)


@pytest.mark.nightly
def test_a_case_that_is_not_there_is_told(token):
    with pytest.raises(RuntimeError, match="invalid choice: 'nonsense'") as caught:
        run_processes(["-m", "course_lib.parallel", "nonsense"], 1, seconds=LIMIT)
    assert "torch/distributed/run.py" not in str(caught.value)


# For each line that comes in, ranks that wait; what ended them goes out. SIGINT is answered as
# usual, also where the shell lets what it starts ignore it.
STARTER = """
import signal, sys
from course_lib.parallel import run_processes

signal.signal(signal.SIGINT, signal.default_int_handler)
for _ in sys.stdin:
    try:
        run_processes([sys.argv[1], "failing:waits"], 2, seconds=float(sys.argv[2]))
    except (KeyboardInterrupt, RuntimeError, TimeoutError) as error:
        print(type(error).__name__, error, flush=True)
"""


@needs_proc
def test_nothing_is_left_running(token):
    """Rank 1 would sleep for hours. One program starts it twice, and is ended last."""
    command = [sys.executable, "-c", STARTER, RANKS, str(LIMIT)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    starter = subprocess.Popen(command, start_new_session=True, **pipes)

    def launcher():
        return int(Path(f"/proc/{starter.pid}/task/{starter.pid}/children").read_text().split()[0])

    ways = {  # as a terminal interrupts it, and as it is where a kernel is restarted
        "KeyboardInterrupt \n": lambda: os.killpg(starter.pid, signal.SIGINT),
        "RuntimeError torchrun was killed by signal 9 (SIGKILL).\n": lambda: os.kill(
            launcher(), signal.SIGKILL
        ),
    }
    try:
        for said, end in ways.items():
            print("again", file=starter.stdin, flush=True)
            assert starter.stdout.readline() == "begun\n"
            assert len(left_running(token)) >= 4  # this one's child, torchrun and two ranks
            end()
            assert starter.stdout.readline() == said
            wait_until(lambda: left_running(token) == [starter.pid], f"left running after {said!r}")
    finally:
        starter.kill()
        starter.communicate()
