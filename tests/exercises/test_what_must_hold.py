"""What must hold of every exercise, with one fixed seed; `make deep` takes more of them."""

import pytest

from course_checks.judge import engine
from tools.checks.drawn_answers import changes_the_result
from tools.checks.exercise_sources import EXERCISES, judge_of
from tools.checks.what_must_hold import ALL_AT_ONCE, subjects, what_fails, what_is_not_shown

KINDS = ("reference", "solution", "answer", "mistake", *ALL_AT_ONCE)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", EXERCISES)
def test_it_holds(name, kind, monkeypatch):
    if kind == "edits":  # some loop for ever
        monkeypatch.setattr(engine, "TIME_LIMIT", 0.5)
    tried = [subject for subject in subjects(name) if subject.partition(":")[0] == kind]
    failures = {subject: what_fails(name, subject, seed=0) for subject in tried}
    assert tried and not any(failures.values()), "\n\n".join(
        f"{subject}: {text}" for subject, text in failures.items() if text
    )


def test_every_subject_is_of_a_kind_that_is_tried():
    kinds = {subject.partition(":")[0] for name in EXERCISES for subject in subjects(name)}
    assert kinds == set(KINDS)


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
    for subject in ("mistake:unknown", "answer:", "refrence"):
        with pytest.raises(ValueError, match=f"subject must be one of .*got '{subject}'"):
            what_fails("weights_at", subject, 0)


def test_what_a_result_holds_and_does_not_show_is_told(monkeypatch):
    mistake = EXERCISES["weights_at"].mistakes[0]
    result = judge_of("weights_at", 0)(mistake.function)
    assert what_is_not_shown(result) == ""
    monkeypatch.setattr(type(result), "_repr_html_", lambda self: "<b>0.5</b>0.25")
    told = what_is_not_shown(result)
    assert mistake.sentence in told and "two numbers: 0.50.2" in told
