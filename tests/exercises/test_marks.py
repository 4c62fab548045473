"""Every exercise: right answers pass, every named mistake fails and is called by its name."""

import html
import re

import pytest

from course_lib import checks
from course_lib.checks.judge.engine import judge
from exercises.remembered_trials import remembered_trials  # noqa: F401 (a fixture)
from exercises.sources import EXERCISES, define, right_answers, solution_sources

SEEDS = range(50)
MUTANTS = [
    (name, mutant.name, version)
    for name, item in EXERCISES.items()
    for mutant in item.mutants
    for version in range(len(mutant.functions))
]


def text_of(markup: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


@pytest.mark.parametrize("name", EXERCISES)
def test_reference_and_notebook_solution_get_full_marks(name):
    exercise = EXERCISES[name]
    sources = solution_sources()
    functions = [exercise.reference, define(sources[name][0], name)]
    for seed in SEEDS:
        for function in functions:
            result = judge(exercise, function, seed)
            assert result.status == "pass", str(result)
            assert result.points == exercise.max_points


@pytest.mark.parametrize("name", EXERCISES)
def test_right_answers_written_differently_pass(name):
    functions = right_answers(name)
    assert len(functions) >= 2
    for function in functions:
        for seed in SEEDS:
            result = judge(EXERCISES[name], function, seed)
            assert result.status == "pass", f"{function.__name__}\n{result}"


@pytest.mark.parametrize(("name", "mutant_name", "version"), MUTANTS)
def test_mutant_fails_and_is_diagnosed_by_its_own_name(name, mutant_name, version):
    exercise = EXERCISES[name]
    mutant = next(item for item in exercise.mutants if item.name == mutant_name)
    for seed in SEEDS:
        result = judge(exercise, mutant.functions[version], seed)
        assert result.status == "wrong"
        assert result.points < exercise.max_points
        assert result.diagnosis == mutant_name, str(result)  # recognised only when no other fits
        assert mutant.sentence in result.message


@pytest.mark.parametrize("name", EXERCISES)
def test_exercise_is_complete(name):
    exercise = EXERCISES[name]
    names = [mutant.name for mutant in exercise.mutants]
    assert len(names) == len(set(names)) >= 6
    assert len({mutant.sentence for mutant in exercise.mutants}) == len(names)
    assert exercise.max_points == sum(item.points for item in exercise.properties) + 1
    assert all(isinstance(item.points, int) and item.points > 0 for item in exercise.properties)


def test_numbers_and_lessons_are_in_order():
    order = [(exercise.lesson, exercise.number) for exercise in EXERCISES.values()]
    assert order == sorted(set(order))
    for lesson in {lesson for lesson, _ in order}:
        numbers = [number for other, number in order if other == lesson]
        assert numbers == list(range(1, len(numbers) + 1)), lesson


@pytest.mark.parametrize("name", EXERCISES)
def test_constant_answers_get_no_points(name):
    exercise = EXERCISES[name]
    for seed in range(5):
        for constant in (True, False, 0, [], "text", {}):
            result = judge(exercise, lambda *args, constant=constant: constant, seed)
            assert result.points == 0 and result.status == "wrong"


@pytest.mark.parametrize("name", EXERCISES)
def test_feedback_of_a_pass_is_the_same_every_time(name):
    exercise = EXERCISES[name]
    results = [
        judge(exercise, function, seed)
        for seed in range(3)
        for function in (exercise.reference, define(solution_sources()[name][0], name))
    ]
    assert len({result._repr_html_() for result in results}) == 1
    assert len({repr(result) for result in results}) == 1
    assert not re.search(r"seed=|0x", results[0]._repr_html_())


@pytest.mark.parametrize("name", EXERCISES)
def test_representations(name):
    exercise = EXERCISES[name]
    for function in [exercise.reference, *(mutant.function for mutant in exercise.mutants)]:
        result = judge(exercise, function, seed=3)
        assert re.fullmatch(r"\d+\.0", repr(result))  # what nbgrader reads from text/plain
        assert float(repr(result)) == result.points <= exercise.max_points
        shown = text_of(result._repr_html_())
        for sentence in result.message:
            assert sentence in shown
            assert sentence in str(result)
        for claim, got, of in result.parts:
            assert f"{claim} ({'–' if got is None else got} of {of})" in shown
        assert ("not judged until" in shown) == any(got is None for _, got, _ in result.parts)
        if result.status == "wrong":
            assert f"seed={result.seed}" in shown
        for table in result.tables + result.inputs:
            assert table.caption in shown
        # Without its tags, two numbers never run into one.
        assert not re.search(r"\d\.\d+\*?-?\d*\.\d", shown)


@pytest.mark.parametrize("name", EXERCISES)
def test_seed_repeats_the_run(name):
    check, wrong = checks.ALL[name], EXERCISES[name].mutants[0].function
    first = check(wrong)
    again = check(wrong, seed=first.seed)
    assert str(again) == str(first)
    if first.tables:
        assert str(check(wrong)) != str(first)


def test_a_mistake_next_to_another_is_not_named():
    """It would be the first that comes to mind, and mending it would not be enough."""

    def two_mistakes(scores):  # clamped is one, and is what large scores show alone
        scores = scores.clamp(-80, 80)
        numerators = scores.exp() if scores.dim() > 2 else 2**scores
        return numerators / numerators.sum(dim=-1, keepdim=True)

    for seed in SEEDS:
        result = judge(EXERCISES["stable_softmax"], two_mistakes, seed)
        assert result.diagnosis is None and "This does not hold yet: each row" in str(result)
