"""No notebook harms the machine, the gradebook or a classmate, and no run stops on one."""

import os
import subprocess
from unittest.mock import MagicMock

import pytest
from hostile import ATTACKS
from ipykernel.iostream import OutStream

from conftest import CLASSMATES, SMALL, grade_folder, hand_in, happenings, stored, with_cell
from grading import kernel, sandbox
from grading.execute import UntrustedExecute


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_is_contained_and_reported(attacked, name):
    graded, _ = attacked
    _, reason, rest_counts = ATTACKS[name]
    result, printed = graded[name], graded.printed(name)
    assert "LEAK" not in printed
    if reason:
        assert any(reason in line for line in result.review), result.review
    else:
        assert result.review == []
    if rest_counts:
        assert result.score == result.max_score, (result, printed)
    else:
        assert result.score == 0  # the attack comes before the first exercise


def test_the_limit_was_what_stopped_the_memory_bomb(attacked):
    graded, _ = attacked
    assert 10 < int(graded.printed("memory_bomb").split("stopped at ")[1].split()[0]) < 110


def test_the_search_for_what_is_left_was_one(attacked):
    """In a kernel that was forked, and in memory enough."""
    graded, _ = attacked
    printed = graded.printed("looks_for_what_is_left_of_the_grader")
    assert printed.startswith("entered from outside: True\nsearched: True\n")


def test_the_list_of_fonts_was_there_and_stayed(attacked):
    graded, _ = attacked
    assert "kept: True" in graded.printed("changes_the_list_of_fonts")


def test_no_more_processes_than_allowed_can_be_started(tmp_path):
    code = """
import os, time
children = 0
try:
    while children < 1000:
        if os.fork() == 0:
            time.sleep(100)
        children += 1
except OSError:
    pass
print(children, flush=True)
os._exit(0)
"""
    if os.getuid() == 0:
        sandbox.give_to_sandbox(tmp_path)
    command = sandbox.kernel_command(SMALL, tmp_path, sandbox=True)
    run = subprocess.run([*command, "-c", code], capture_output=True, text=True, timeout=120)
    assert 10 < int(run.stdout) < SMALL.tasks, run


@pytest.mark.parametrize("more", [0, 1])
def test_as_many_processes_as_the_limit_says_may_run(tmp_path, more):
    execute, process = MagicMock(limits=SMALL, connection_dir=tmp_path), MagicMock()
    process.memory_info.return_value.rss = 0
    execute._family.return_value = [process] * (SMALL.processes + more)
    UntrustedExecute._watch(execute, MagicMock(wait=MagicMock(side_effect=[False, True])))
    assert execute._stop.called == bool(more)


@pytest.mark.parametrize("name", [name for name in ATTACKS if "output" in ATTACKS[name][1]])
def test_flood_is_cut_by_its_size_alone_and_the_result_stays_small(attacked, name):
    """Neither the time limit nor the memory has a part in it, however fast the flood is."""
    graded, _ = attacked
    assert all("output" in line for line in graded[name].review), graded[name].review
    folder = graded.folder / "students" / name
    assert sum(path.stat().st_size for path in folder.iterdir()) < 2_000_000


def test_what_is_printed_leaves_the_kernel_in_small_pieces(monkeypatch):
    sent, waiting = [], []
    monkeypatch.setattr(OutStream, "write", lambda stream, text: waiting.append(text))

    def flush(stream):
        sent.append("".join(waiting))
        waiting.clear()

    monkeypatch.setattr(OutStream, "flush", flush)
    monkeypatch.setattr(kernel.PromptStream, "parent_header", {})
    stream = kernel.PromptStream.__new__(kernel.PromptStream)  # without threads and sockets
    lines = ["x" * 350_000, *(f"{number}\n" for number in range(50_000)), ""]
    assert [stream.write(line) for line in lines] == [len(line) for line in lines]
    assert "".join([*sent, *waiting]) == "".join(lines)
    assert max(map(len, [*sent, "".join(waiting)])) < 2 * kernel.PIECE
    stream.write("y" * 2 * kernel.MOST)
    assert kernel.MOST <= sum(map(len, [*sent, *waiting])) < kernel.MOST + 2 * kernel.PIECE


def test_whole_notebook_has_a_time_limit(tmp_path, release):
    """Reached in the cell that sleeps, or before it where the machine is slow."""
    hand_in(tmp_path / "in", "anna", with_cell(stored("solutions"), "import time; time.sleep(1e6)"))
    limits = sandbox.Limits(cell_seconds=1000, submission_seconds=8)
    graded = grade_folder(release, tmp_path / "in", tmp_path / "out", limits=limits)
    assert "stopped: the time limit of the whole notebook was reached" in graded["anna"].review
    assert graded["anna"].score == 0


def test_host_is_untouched(attacked):
    _, host = attacked
    assert len(host.intact) == 4
    assert all(host.intact.values()), host.intact
    assert host.visitors == 0
    assert host.left_behind == []


@pytest.mark.parametrize("name", CLASSMATES)
def test_classmate_has_the_points_earned(attacked, name):
    graded, _ = attacked
    assert graded[name].score == graded[name].max_score
    assert graded[name].review == []


def test_no_page_runs_or_loads_anything(attacked, browser):
    graded, _ = attacked
    pages = sorted(graded.folder.glob("students/*/feedback.html"))
    assert len(pages) == len(graded.results)
    assert {page.parent.name: happenings(browser, page) for page in pages} == {
        page.parent.name: [] for page in pages
    }
