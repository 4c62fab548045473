"""A judge that has many answers before it says of each what it would say of it alone."""

import random

import pytest
import torch

from course_checks.judge import calling, engine
from course_checks.judge.engine import Judge, judge
from tools.checks.exercise_sources import EXERCISES

# Of each kind of answer, with tables, with a loop in the student's own function, with training.
NAMES = ("stable_softmax", "rows_sum_to_one", "attend_all", "stay_identical", "trace_shapes")
NAMES += ("predict_row", "rotary", "greedy_decode")


def all_of(result):
    return result.status, result.points, result.diagnosis, str(result), result._repr_html_()


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_does_not_depend_on_what_was_judged_before(name):
    exercise = EXERCISES[name]
    functions = [mistake.function for mistake in exercise.mistakes[:3]]
    functions += [exercise.reference, lambda *args: None, exercise.mistakes[0].function]
    alone = [all_of(judge(exercise, function, 5)) for function in functions]
    together = Judge(exercise, 5)
    order = list(range(len(functions))) * 2
    random.Random(name).shuffle(order)
    for index in order:
        assert all_of(together(functions[index])) == alone[index], index


def test_an_answer_is_called_anew_each_time_and_draws_nothing_from_the_notebook():
    exercise = EXERCISES["stable_softmax"]
    calls = []

    def answer(scores):
        calls.append(len(calls))
        return scores.softmax(dim=0)

    together = Judge(exercise, 1)
    torch.manual_seed(0)
    expected = torch.rand(2)
    torch.manual_seed(0)
    first = together(answer)
    number = len(calls)
    assert all_of(together(answer)) == all_of(first)
    assert len(calls) == 2 * number > 0
    assert torch.equal(torch.rand(2), expected)


def test_a_known_mistake_runs_once_on_each_input(monkeypatch):
    exercise = EXERCISES["stable_softmax"]
    mistakes = {function for mistake in exercise.mistakes for function in mistake.functions}
    runs = []

    def counted(exercise, function, args, *rest):
        runs.append((function, id(args)))
        return calling.call(exercise, function, args, *rest)

    monkeypatch.setattr(engine, "call", counted)
    together = Judge(exercise, 2)
    for _ in range(2):
        together(lambda scores: scores.softmax(dim=0))
    of_mistakes = [run for run in runs if run[0] in mistakes]
    assert len(of_mistakes) == len(set(of_mistakes)) >= len(mistakes)
