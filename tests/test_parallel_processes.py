"""Real processes: equal to one, ended together, nothing left. Many cases share few starts."""

import os
import random
import signal
import socket
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from course_lib.parallel import run_processes
from notebook_files import ROOT

RANKS = str(ROOT / "tests" / "parallel_ranks.py")
CASES = ["-m", "course_lib.parallel", "tensor", "dtensor", "block", "step", "ring", "ring-causal"]
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


@pytest.fixture
def token(monkeypatch):
    """Stands in the environment of all that a test starts; at its end none of it may be left."""
    token = f"course-test-{uuid.uuid4()}"
    monkeypatch.setenv("COURSE_TEST_TOKEN", token)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["tests", os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")  # all on the CPU, wherever this runs
    monkeypatch.chdir(ROOT)
    yield token
    wait_until(lambda: not left_running(token), f"left running: {left_running(token)}")


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


@pytest.mark.parametrize("processes", [2, 4])
def test_every_case_equals_one_process(processes, token, used_ports, capfd):
    printed = run_processes(CASES, processes, seconds=LIMIT)
    lines = printed.splitlines()
    assert sum(f"equal to one process, on all {processes} ranks" in line for line in lines) == 16
    counts = [line for line in lines if "bytes sent by each rank, predicted" in line]
    assert len(counts) == 8
    if sys.platform == "linux":
        assert all(line.endswith("counted: 1.00 times as many") for line in counts)
    plans = [line for line in lines if line.startswith("rank")]
    assert len(plans) == processes and plans[1].startswith("rank 1 meets the keys of part: 1 0")
    shown = capfd.readouterr()
    assert shown.out == printed and shown.err == ""


def test_other_settings_on_fresh_numbers_equal_one_process(token):
    seed = random.randrange(2**31)
    assert run_processes([RANKS, f"others:{seed}"], 4, seconds=LIMIT, show=False) == "", seed


def test_what_is_wrong_is_seen_by_the_cases(token):
    printed = run_processes([RANKS, "broken"], 2, seconds=LIMIT, show=False)
    assert printed == "12 breaks seen\n"


def check_real(*options):
    case = ["-m", "course_lib.parallel", "real", *options]
    return run_processes(case, 3, seconds=LIMIT, show=False).splitlines()


def test_a_model_of_the_shape_of_smollm2_in_three_processes(token):
    lines = check_real("--random")
    assert lines[0] == "query heads of each rank: 3, key heads: 1"
    assert lines[1] == "logits of 5 tokens: equal to one process, but for rounding"
    assert lines[-1] == "sent by each rank: 61,440 bytes, predicted"  # 4 sums of 5 x 576 x 4 bytes


@pytest.mark.needs_real_model
def test_smollm2_itself_in_three_processes(token):
    lines = check_real()
    assert "'The capital of France is' goes on with ' Paris'" in lines
    assert lines[-1] == "sent by each rank: 921,600 bytes, predicted"


# --- failures -----------------------------------------------------------------------------------


def test_a_rank_that_raises_ends_the_others_and_its_traceback_is_shown(token, capfd):
    with pytest.raises(RuntimeError) as caught:
        run_processes([RANKS, "failing:raises"], 3, seconds=LIMIT)
    text = str(caught.value)
    assert text.startswith("Rank 1 ended with an error:\nKeyError: 'its cause'\n")
    assert "\nTraceback (most recent call last):\n" in text and "parallel_ranks.py" in text
    assert text.endswith("ValueError: broken\n\non purpose")
    assert "torch.distributed.elastic" not in text and "Rank 2" not in text
    assert capfd.readouterr().out == "begun\n"


def test_a_rank_that_is_killed_ends_the_others(token):
    with pytest.raises(RuntimeError, match=r"^Rank 1 of 2 was killed by signal 9 \(SIGKILL\)\.$"):
        run_processes([RANKS, "failing:killed"], 2, seconds=LIMIT, show=False)


def test_heads_that_do_not_divide_and_cases_that_are_not_there_are_told(token):
    with pytest.raises(RuntimeError, match="invalid choice: 'nonsense'") as caught:
        run_processes(["-m", "course_lib.parallel", "nonsense"], 1, seconds=LIMIT)
    assert "torch/distributed/run.py" not in str(caught.value)
    with pytest.raises(RuntimeError, match="world_size must divide num_heads 9, got 2"):
        run_processes(["-m", "course_lib.parallel", "real", "--random"], 2, seconds=LIMIT)


STARTER = """
import sys
from course_lib.parallel import run_processes
try:
    run_processes([sys.argv[1], "failing:waits"], 2, seconds=float(sys.argv[2]))
except (KeyboardInterrupt, TimeoutError) as error:
    print(type(error).__name__, error)
"""


@needs_proc
@pytest.mark.parametrize("how", ["interrupted", "launcher killed", "starter killed", "too late"])
def test_nothing_is_left_running(how, token):
    """The fixture looks for what is left. Rank 1 would sleep for hours."""
    limit = 8 if how == "too late" else LIMIT
    command = [sys.executable, "-c", STARTER, RANKS, str(limit)]
    starter = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        begun = starter.stdout.readline()
        if how == "too late":
            assert begun in ("begun\n", "TimeoutError 2 processes were not ready in 8.0 seconds\n")
        else:
            assert begun == "begun\n"
            assert len(left_running(token)) >= 4  # this one's child, torchrun and two ranks
        if how == "interrupted":  # as a terminal and a notebook do: the whole group
            os.killpg(starter.pid, signal.SIGINT)
        elif how == "launcher killed":
            children = Path(f"/proc/{starter.pid}/task/{starter.pid}/children").read_text()
            os.kill(int(children.split()[0]), signal.SIGKILL)
        elif how == "starter killed":  # as a kernel that is restarted: the whole group
            os.killpg(starter.pid, signal.SIGKILL)
        rest, errors = starter.communicate(timeout=LIMIT)
    finally:
        starter.kill()
        starter.wait()
    if how == "interrupted":
        assert "KeyboardInterrupt" in rest + errors
    elif how == "launcher killed":
        assert "RuntimeError: torchrun was killed by signal 9 (SIGKILL)." in errors
    elif how == "too late":
        assert "TimeoutError 2 processes were not ready in 8.0 seconds" in begun + rest
