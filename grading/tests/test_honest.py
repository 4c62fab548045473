"""Right answers get all points, wrong ones fewer, and nobody honest is suspected."""

import pytest
from honest import HABITS, honest

from conftest import ASSIGNMENTS, grade_folder, hand_in, stored, without_trials
from grading.results import ALIKE

# Each habit in one of two assignments, the first in both. An odd number has mistakes.
HALF = len(HABITS) // 2 + 1
CLASSES = [(ASSIGNMENTS[0], range(HALF)), (ASSIGNMENTS[1], range(HALF, 2 * HALF))]


# Graded as it is: what takes longest and most memory, and what has the real model.
WHOLE = ("03_many_heads", "09_encoder_decoder", "16_real_language_model")


# tests/exercises knows that a function left as it came has no points; here are its kinds of cells.
UNTOUCHED = ("01_soft_lookup", "02_single_head", "16_real_language_model")


@pytest.fixture(scope="session", params=ASSIGNMENTS)
def plain(request, release_of, tmp_path_factory):
    """The solution, and the exercise as it is."""
    name = request.param
    folder = tmp_path_factory.mktemp("plain")
    solution = stored("solutions", name)
    solution = solution if name in WHOLE else without_trials(solution)
    hand_in(folder / "in", "solution", solution)
    if name in UNTOUCHED:
        hand_in(folder / "in", "exercise", stored("exercises", name))
    return grade_folder(release_of(name), folder / "in", folder / "out", seed=None)


def test_solution_gets_the_maximum(plain):
    result = plain["solution"]
    by_hand = sum(result.points[name][1] for name in result.by_hand)
    assert result.score + by_hand == result.max_score > 0
    assert result.review == []


@pytest.mark.parametrize("plain", UNTOUCHED, indirect=True)
def test_untouched_exercise_gets_nothing(plain):
    result = plain["exercise"]
    assert result.score == 0 < result.max_score
    assert set(result.points) == set(plain["solution"].points)
    assert result.by_hand == {}  # an answer that was left as it came needs no reader
    assert result.review == []


@pytest.fixture(scope="session", params=CLASSES, ids=[name for name, _ in CLASSES])
def honest_class(request, release_of, tmp_path_factory):
    name, numbers = request.param
    folder = tmp_path_factory.mktemp("honest")
    for number in numbers:
        hand_in(folder / "in", f"s{number}", honest(stored("solutions", name), number))
    return grade_folder(release_of(name), folder / "in", folder / "out")


def test_nobody_honest_is_suspected(honest_class):
    assert len(honest_class.results) == HALF
    # All are edits of one solution, and some make the same slip: that alike.csv names these is
    # right. test_alike.py has answers that were written apart.
    told = {
        name: [line for line in one.review if not line.startswith((f"{ALIKE}:", "missing:"))]
        for name, one in honest_class.results.items()
    }
    assert {name: lines for name, lines in told.items() if lines} == {}


def test_right_answers_get_all_points_and_wrong_ones_fewer(honest_class):
    for student, result in honest_class.results.items():
        if int(student.removeprefix("s")) % 2:
            assert result.score < result.max_score, result
        else:
            assert result.score == result.max_score, result
