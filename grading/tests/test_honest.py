"""Right answers get all points, wrong ones fewer, and nobody honest is suspected."""

import pytest
from honest import CLASS, honest

from conftest import ASSIGNMENTS, grade_folder, hand_in, stored, without_trials
from grading.results import ALIKE

# Which honest submissions are graded of which assignment. An odd number has mistakes.
CLASSES = {ASSIGNMENTS[0]: range(CLASS // 2), ASSIGNMENTS[1]: range(CLASS // 2, CLASS)}


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
    numbers = CLASSES.get(name, ())
    for number in numbers:
        hand_in(folder / "in", f"s{number}", honest(stored("solutions", name), number))
    # A slip that is drawn may be one that other numbers do not show.
    seed = 5 if numbers else None
    return grade_folder(release_of(name), folder / "in", folder / "out", seed=seed)


def blamed(result):
    """What is said of a submission, but that it is alike: all here are edits of one solution.

    And some make the same slip. test_alike.py has answers that were written apart.
    """
    return [line for line in result.review if not line.startswith(f"{ALIKE}:")]


def test_solution_gets_the_maximum(plain):
    result = plain["solution"]
    by_hand = sum(result.points[name][1] for name in result.by_hand)
    assert result.score + by_hand == result.max_score > 0
    assert blamed(result) == []


@pytest.mark.parametrize("plain", UNTOUCHED, indirect=True)
def test_untouched_exercise_gets_nothing(plain):
    result = plain["exercise"]
    assert result.score == 0 < result.max_score
    assert set(result.points) == set(plain["solution"].points)
    assert result.by_hand == {}  # an answer that was left as it came needs no reader
    assert result.review == []


@pytest.mark.parametrize("plain", CLASSES, indirect=True)
def test_honest_ones_are_not_suspected_and_wrong_ones_get_fewer_points(plain):
    honest_ones = {name: result for name, result in plain.results.items() if name[1:].isdigit()}
    assert len(honest_ones) == CLASS // 2
    for student, result in honest_ones.items():
        told = [line for line in blamed(result) if not line.startswith("missing:")]
        assert told == [], result
        is_wrong = int(student[1:]) % 2
        assert (result.score < result.max_score) == is_wrong, result
