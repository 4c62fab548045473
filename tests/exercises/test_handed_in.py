"""Answers of the kind that students hand in: what each must score, be called and be told."""

from importlib import import_module

import pytest

from course_lib import checks
from exercises.remembered_trials import remembered_trials  # noqa: F401 (a fixture)
from exercises.sources import CHECKED, TOPICS, seeds

SEEDS = seeds(1, 8)
ANSWERS = [
    answer
    for topic in TOPICS
    for answer in import_module(f"exercises.{topic}.handed_in").ANSWERS
    if answer[0] in CHECKED
]


@pytest.mark.parametrize(("name", "answer", "points", "diagnosis", "text"), ANSWERS)
def test_answer(name, answer, points, diagnosis, text):
    for seed in SEEDS:
        result = checks.ALL[name](answer, seed=seed)
        assert result.diagnosis == diagnosis, str(result)
        assert text in str(result), str(result)
        if points is None:
            assert result.points < result.max_points
        else:
            assert result.points == points, str(result)
