"""No notebook harms the machine, the gradebook or a classmate, and no run stops on one."""

import pytest
from hostile import ATTACKS, CHEATS


@pytest.mark.parametrize("name", ATTACKS)
def test_attack_is_contained_and_reported(attacked, name):
    graded, _ = attacked
    _, reason, rest_counts = ATTACKS[name]
    result, printed = graded[name], graded.printed(name)
    assert "LEAK" not in printed
    if reason:
        assert any(reason in one for one in result.review), result.review
    else:
        assert result.review == []
    if rest_counts:
        assert result.score == result.max_score, (result, printed)
    else:
        assert result.score == 0  # the attack comes before the first exercise


def test_limits_were_what_stopped_the_bombs(attacked):
    graded, _ = attacked
    assert 10 < int(graded.printed("memory_bomb").split("stopped at ")[1].split()[0]) < 110
    assert 5 < int(graded.printed("fork_bomb").split("stopped at ")[1].split()[0]) < 64


def test_flood_is_cut_and_the_result_stays_small(attacked):
    graded, _ = attacked
    for name in ("output_flood", "much_output"):
        folder = graded.folder / "students" / name
        assert sum(path.stat().st_size for path in folder.iterdir()) < 2_000_000


def test_host_is_untouched(attacked):
    _, host = attacked
    assert len(host.intact) == 4
    assert all(host.intact.values()), host.intact
    assert host.visitors == 0
    assert host.left_behind == []


def test_classmate_has_the_points_earned(attacked):
    graded, _ = attacked
    assert graded["classmate"].score == graded["classmate"].max_score
    assert graded["classmate"].review == []


def test_everybody_has_a_result_and_a_page(attacked):
    graded, _ = attacked
    assert set(graded.results) == {*ATTACKS, "classmate"}
    for name in graded.results:
        assert "Score:" in (graded.folder / "students" / name / "feedback.html").read_text()


@pytest.mark.parametrize("name", CHEATS)
def test_cheat_is_flagged_for_review(cheated, name):
    suspected = [one for one in cheated[name].review if one.startswith("tampering suspected")]
    assert suspected, cheated[name]


@pytest.mark.parametrize("name", [name for name, (_, sign) in CHEATS.items() if sign])
def test_kernel_shows_the_cheat_whatever_the_source_looks_like(cheated, name):
    sign = CHEATS[name][1]
    assert any(sign in one for one in cheated[name].review), cheated[name].review


def test_points_never_exceed_the_maximum(cheated):
    for result in cheated.results.values():
        for earned, possible in result.points.values():
            assert 0 <= earned <= possible
    assert cheated["too_many_points"].score == cheated["no_number"].score == 0
