"""Nobody gets points by deceiving the judge: what computes nothing is worth nothing."""

import pytest
from hostile import CHEATS

from conftest import grade_folder, hand_in, stored, without_trials


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
