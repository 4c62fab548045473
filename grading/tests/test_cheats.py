"""Nobody gets points by deceiving the judge without being named."""

import nbformat
import pytest
from hostile import ANSWERS, CHEATS, RESTORES

from conftest import grade_folder, hand_in, stored, with_cell, without_trials


def with_cheat(exercise, name):
    """A copy with a cheat of hostile.py in its place."""
    if name in CHEATS:
        changed = with_cell(exercise, CHEATS[name][0])
        if name in RESTORES:
            changed.cells.append(nbformat.v4.new_code_cell(RESTORES[name]))
        return changed
    changed = without_trials(exercise)
    answer = next(cell for cell in changed.cells if "def scaled_scores" in cell.source)
    answer.source = ANSWERS[name][0]
    return changed


@pytest.fixture(scope="module")
def cheated(release, tmp_path_factory):
    """Every cheat, in an untouched exercise."""
    folder = tmp_path_factory.mktemp("cheated")
    for name in (*CHEATS, *ANSWERS):
        hand_in(folder / "in", name, with_cheat(stored("exercises"), name))
    return grade_folder(release, folder / "in", folder / "out")


@pytest.mark.parametrize("name", [*CHEATS, *ANSWERS])
def test_cheat_is_flagged_for_review(cheated, name):
    suspected = [one for one in cheated[name].review if one.startswith("tampering suspected")]
    assert suspected, cheated[name]


@pytest.mark.parametrize(
    ("name", "sign"), [(name, sign) for name, (_, sign) in (CHEATS | ANSWERS).items() if sign]
)
def test_kernel_shows_the_cheat_whatever_the_source_looks_like(cheated, name, sign):
    assert any(sign in one for one in cheated[name].review), cheated[name].review


@pytest.mark.parametrize("name", ["captured_cell", "module_of_ones_own"])
def test_a_value_that_no_check_gave_is_seen(cheated, name):
    said = "tampering suspected: check_single_head: its value is no result of the checks"
    assert said in cheated[name].review
    assert cheated[name].points["check_single_head"][0] == 5  # for a person to take away


def test_points_never_exceed_the_maximum(cheated):
    for result in cheated.results.values():
        for earned, possible in result.points.values():
            assert 0 <= earned <= possible
    assert cheated["too_many_points"].score == cheated["no_number"].score == 0
