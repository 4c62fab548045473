"""What must hold of every exercise, with one fixed seed; `make deep` takes more of them."""

import pytest

from course_checks.judge import engine
from exercises.drawn_edits import changes_the_result
from exercises.sources import EXERCISES
from exercises.what_must_hold import ALL_AT_ONCE, subjects, what_fails

KINDS = ("reference", "solution", "right", "mistake", *ALL_AT_ONCE)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", EXERCISES)
def test_it_holds(name, kind, monkeypatch):
    if kind == "edits":  # one may loop for ever
        monkeypatch.setattr(engine, "TIME_LIMIT", 2.0)
    tried = [one for one in subjects(name) if one.partition(":")[0] == kind]
    failing = {subject: what_fails(name, subject, seed=0) for subject in tried}
    assert tried and not any(failing.values()), "\n\n".join(
        f"{subject}: {said}" for subject, said in failing.items() if said
    )


@pytest.mark.parametrize("name", EXERCISES)
def test_every_subject_is_of_a_kind_that_is_tried(name):
    assert {one.partition(":")[0] for one in subjects(name)} == set(KINDS)


@pytest.mark.parametrize("name", EXERCISES)
def test_on_the_inputs_for_edits_some_mistake_changes_the_result(name):
    """An edit is missed only where the result changes on them: they must show that."""
    exercise = EXERCISES[name]
    changing = (
        changes_the_result(exercise, exercise.reference, mistake.function)
        for mistake in exercise.mistakes
    )
    assert any(changing)


def test_an_unknown_exercise_or_subject_is_refused():
    with pytest.raises(ValueError, match="exercise must be the name of one, got 'attend'"):
        what_fails("attend", "reference", 0)
    for subject in ("mistake:unknown", "right:", "refrence"):
        with pytest.raises(ValueError, match=f"subject must be one of .*got '{subject}'"):
            what_fails("weights_at", subject, 0)
