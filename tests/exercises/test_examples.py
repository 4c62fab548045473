"""What once did not hold with some seed holds now; `make deep` writes down what does not."""

import dataclasses
import shutil

import pytest

from tools.checks import what_must_hold
from tools.checks.deep_checks import EXAMPLES, add_examples, examples, failures_of
from tools.checks.exercise_sources import EXERCISES


@pytest.mark.parametrize(("exercise", "subject", "seed"), examples())
def test_what_once_did_not_hold_holds(exercise, subject, seed):
    fails = what_must_hold.what_fails(exercise, subject, seed)
    assert not fails, f"{exercise}, {subject}, seed {seed}\n{fails}"


@pytest.fixture
def scratch(tmp_path):
    return shutil.copy(EXAMPLES, tmp_path / "examples.toml")


def test_a_seed_that_fails_is_written_down_once_and_is_tried_then(scratch, monkeypatch):
    """A mistake that is none passes: its name is lost with every seed."""
    exercise = EXERCISES["predict_row"]
    right = dataclasses.replace(exercise.mistakes[0], wrong=exercise.reference, also=())
    doctored = dataclasses.replace(exercise, mistakes=(right, *exercise.mistakes[1:]))
    monkeypatch.setitem(what_must_hold.EXERCISES, "predict_row", doctored)
    subject = f"mistake:{right.name}"
    seeds = (1007, 1008)  # which no other test takes: judges are kept by exercise and seed
    failures = [example for seed in seeds for example, _ in failures_of("predict_row", seed)]
    assert {(name, what) for name, what, _ in failures} == {("predict_row", subject)}

    before = examples(scratch)
    assert add_examples(failures, scratch) == [("predict_row", subject, 1007)]
    assert examples(scratch) == [*before, ("predict_row", subject, 1007)]
    assert add_examples(failures, scratch) == []
    assert examples(scratch) == [*before, ("predict_row", subject, 1007)]
    with pytest.raises(AssertionError, match=f"predict_row, {subject}, seed 1007"):
        test_what_once_did_not_hold_holds(*examples(scratch)[-1])
