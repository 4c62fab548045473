"""Every exercise: right answers pass, every named mistake fails and is called by its name."""

import pytest

from exercises.sources import (
    CHECKED,
    EXERCISES,
    define,
    judge_of,
    right_answers,
    seeds,
    solution_sources,
)

SEEDS = seeds(2, 50)
SEEDS_OF_OTHER_FORMS = seeds(1, 5)  # the same mistake again
MUTANTS = [
    (name, mutant.name, version)
    for name, item in CHECKED.items()
    for mutant in item.mutants
    for version in range(len(mutant.functions))
]


@pytest.mark.parametrize("name", CHECKED)
def test_reference_and_notebook_solution_get_full_marks(name):
    exercise = EXERCISES[name]
    sources = solution_sources()
    functions = [exercise.reference, define(sources[name][0], name)]
    for seed in SEEDS:
        for function in functions:
            result = judge_of(name, seed)(function)
            assert result.status == "pass", str(result)
            assert result.points == exercise.max_points


@pytest.mark.parametrize("name", CHECKED)
def test_right_answers_written_differently_pass(name):
    functions = right_answers(name)
    assert len(functions) >= 2
    for function in functions:
        for seed in SEEDS:
            result = judge_of(name, seed)(function)
            assert result.status == "pass", f"{function.__name__}\n{result}"


@pytest.mark.parametrize(("name", "mutant_name", "version"), MUTANTS)
def test_mutant_fails_and_is_diagnosed_by_its_own_name(name, mutant_name, version):
    exercise = EXERCISES[name]
    mutant = next(item for item in exercise.mutants if item.name == mutant_name)
    for seed in SEEDS if version == 0 else SEEDS_OF_OTHER_FORMS:
        result = judge_of(name, seed)(mutant.functions[version])
        assert result.status == "wrong"
        assert result.points < exercise.max_points
        assert result.diagnosis == mutant_name, str(result)  # recognised only when no other fits
        assert mutant.sentence in result.message


@pytest.mark.parametrize("name", CHECKED)
def test_constant_answers_get_no_points(name):
    for seed in seeds(1, 5):
        for constant in (True, False, 0, [], "text", {}):
            result = judge_of(name, seed)(lambda *args, constant=constant: constant)
            assert result.points == 0 and result.status == "wrong"
