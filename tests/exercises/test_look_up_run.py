"""The look-up that is run, against the rule that says what it finds, and the cheapest layers."""

import random
from itertools import product

import pytest

import course_checks as checks
from course_checks.exercises.bounded_memory.choose_layers import fewest_rows, finds_all
from course_checks.exercises.bounded_memory.look_up_run import KINDS, answers, rows

# Each: window, key_dim, distance, pairs, num_layers.
TASKS = [(3, 5, 2, 2, 1), (4, 6, 9, 1, 3), (4, 6, 10, 1, 3), (3, 5, 8, 1, 4), (4, 6, 12, 3, 4)]
TASKS += [(4, 6, 12, 6, 3), (4, 6, 20, 7, 3), (4, 6, 9, 2, 3), (5, 8, 30, 9, 2), (4, 6, 3, 3, 2)]
TASKS += [(5, 7, 4, 4, 2), (3, 7, 12, 8, 6), (6, 8, 24, 2, 5)]


@pytest.mark.parametrize("task", TASKS)
def test_what_is_found_is_what_the_rule_says(task):
    *sizes, num_layers = task
    patterns = list(product(KINDS, repeat=num_layers))
    for layers in random.Random(str(task)).sample(patterns, min(len(patterns), 24)):
        retrieved = answers(layers, *sizes)
        assert retrieved.shape == (sizes[-1],)
        assert bool(retrieved.all()) == finds_all(layers, *sizes), layers


@pytest.mark.parametrize("task", TASKS)
def test_the_reference_finds_all_and_nothing_cheaper_does(task):
    *sizes, num_layers = task
    window, key_dim, distance, pairs = sizes
    layers = checks.choose_layers.exercise.reference(num_layers, *sizes)
    assert answers(tuple(layers), *sizes).all()
    kept = sum(rows(name, window, key_dim, distance) for name in layers)
    assert kept == fewest_rows(num_layers, *sizes)
    for other in product(KINDS, repeat=min(num_layers, 3)):
        other = other + ("window",) * (num_layers - len(other))
        if sum(rows(name, window, key_dim, distance) for name in other) < kept:
            assert not answers(other, *sizes).all(), other


def test_a_state_that_is_too_small_loses_pairs_and_a_window_finds_those_in_sight():
    assert not answers(("state",), 3, 4, 20, 6).all()
    assert answers(("window",), 4, 6, 6, 6).tolist() == [False] * 3 + [True] * 3
