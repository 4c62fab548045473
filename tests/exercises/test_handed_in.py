"""Answers of the kind that students hand in: what each must score, be called and be told."""

from importlib import import_module

import pytest

from exercises.sources import CHECKED, TOPICS, judge_of, seeds

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
        result = judge_of(name, seed)(answer)
        assert result.diagnosis == diagnosis, str(result)
        assert text in str(result), str(result)
        if points is None:
            assert result.points < result.max_points
        else:
            assert result.points == points, str(result)
