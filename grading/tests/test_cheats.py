"""Nobody gets points by deceiving the judge: what computes nothing is worth nothing."""

import socket

import pytest
from hostile import CHEATS
from nbformat.v4 import new_output
from nbgrader.preprocessors import Execute

from conftest import SMALL, grade_folder, hand_in, stored, without_trials
from course_checks.judge.border import judged
from course_checks.judge.lent import lent_by
from grading.execute import UntrustedExecute
from grading.judging import SOCKET, judging
from tools.notebooks.notebook_files import is_check_cell


@pytest.fixture(scope="module")
def cheated(release, tmp_path_factory):
    """Every cheat, in an untouched exercise."""
    folder = tmp_path_factory.mktemp("cheated")
    for name, code in CHEATS.items():
        changed = without_trials(stored("exercises"))
        next(cell for cell in changed.cells if "def scaled_scores" in cell.source).source = code
        hand_in(folder / "in", name, changed)
    return grade_folder(release, folder / "in", folder / "out")


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_is_worth_nothing_and_finds_nothing(cheated, name):
    assert cheated[name].score == 0, cheated[name].points
    assert "LEAK" not in cheated.printed(name)


def test_what_a_kernel_shows_for_a_check_is_gone_before_it_may_be_stopped(tmp_path, monkeypatch):
    shown = new_output("execute_result", data={"text/plain": "6.0"})
    monkeypatch.setattr(Execute, "preprocess_cell", lambda _, cell, *a: cell.outputs.append(shown))
    check = next(cell for cell in stored("exercises").cells if is_check_cell(cell))
    execute = UntrustedExecute(SMALL, tmp_path, None, {})
    execute._deadline = float("inf")
    execute._run_cell(check, {}, 0)
    assert check.outputs == []


def test_a_kernel_hears_its_points_and_no_right_answer(tmp_path):
    def check(function):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(tmp_path / SOCKET))
            request = {"name": "bytes_moved", "ready": False, "seed": None}
            return judged(connection, function, request), judge.verdicts()

    def bytes_moved(num_heads, query_len, key_len, head_dim, bytes_per_number):
        return [0, 0] if key_len else lent_by("bytes_moved")(1, 1, 1, 1, 1)

    with judging(tmp_path, seed=5) as judge:
        result, (verdict,) = check(bytes_moved)
        assert result.points == 0 and "expected" in verdict.page
        assert "expected" not in result._repr_html_()
        judge.lend(["bytes_moved"])
        assert check(lent_by("bytes_moved"))[0].points == 0  # which is not lent for itself
