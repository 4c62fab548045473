"""Nobody gets points by deceiving the judge: what computes nothing is worth nothing."""

import socket

import pytest
from hostile import CHEATS

from conftest import grade_folder, hand_in, stored, without_trials
from course_checks.judge.border import judged
from course_checks.judge.lent import lent_by
from grading.judging import SOCKET, judging


@pytest.fixture(scope="module")
def cheated(release, tmp_path_factory):
    """Every cheat, in an untouched exercise."""
    folder = tmp_path_factory.mktemp("cheated")
    for name, code in CHEATS.items():
        changed = without_trials(stored("exercises"))
        next(one for one in changed.cells if "def scaled_scores" in one.source).source = code
        hand_in(folder / "in", name, changed)
    return grade_folder(release, folder / "in", folder / "out")


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_is_worth_nothing_and_finds_nothing(cheated, name):
    assert cheated[name].score == 0, cheated[name].points
    assert "LEAK" not in cheated.printed(name)


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
