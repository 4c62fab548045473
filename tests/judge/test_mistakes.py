"""Mistakes that are written as edits of the reference; one that does not fit is named."""

import inspect
import traceback

import pytest

import course_checks as checks
from course_checks.exercise import Exercise, Mistake
from course_checks.judge.source import unused_arguments
from course_checks.mistakes import UnfitMistake, edited, read_mistakes


def scaled(first, second):
    total = first + second  # the sum
    return (
        total
        / 2
    )  # fmt: skip


TEXT = """
not_halved: / 2 ->
    You do not divide.
exchanged_twice: first + second -> second - first && / 2 -> / 4
or: / 2 -> / 8 && first + second -> \
    first - second
    This one has two versions,
    and two lines.
all_places: total => third
evidence: _words
    This one is not Python's fault.
by_code: lambda first, second: scaled(first, 10 * second)
    This one knows the module's names.
in_one_line: / 2 -> / 4 || / 8 || first + second -> 0
or: lambda first, second: first
    {SAID} Twice: {SAID}
by_codes: max || min
    Two expressions.
"""
SAID = "The module says this."
REST = ["by_code", "in_one_line", "by_codes"]


def _words(args, expected, got):
    return f"Here it is {got['answer']}."


def made(text, reference=scaled):
    return {mistake.name: mistake for mistake in read_mistakes(text, reference)}


def test_edits_are_made_of_the_source_as_it_was():
    found = made(TEXT)
    assert list(found) == ["not_halved", "exchanged_twice", "all_places", *REST]
    assert found["not_halved"].function(3, 5) == 8
    assert [version(3, 5) for version in found["exchanged_twice"].functions] == [0.5, -0.25]
    assert found["exchanged_twice"].sentence == "This one has two versions, and two lines."
    assert found["all_places"].function(3, 5) == 4.0
    assert found["all_places"].sentences((), {}, {"answer": 4}) == [
        "This one is not Python's fault.",
        "Here it is 4.",
    ]
    assert found["by_code"].function(1, 1) == 5.5
    in_one_line = found["in_one_line"]
    assert [version(3, 5) for version in in_one_line.functions] == [2, 1, 0, 3]
    assert in_one_line.sentence == "The module says this. Twice: The module says this."
    assert found["by_codes"].functions == (max, min)
    assert edited("a = b", "a -> b && b -> a") == "b = a"


def test_a_mistake_beside_text_keeps_its_place_and_its_code():
    both = read_mistakes((TEXT, Mistake("own", "A sentence.", max, also=("/ 2 ->",))), scaled)
    assert [mistake.name for mistake in both][-2:] == ["by_codes", "own"]
    assert both[-1].function is max
    assert both[-1].functions[1](1, 2) == 3


def test_a_traceback_and_the_judge_see_the_edited_lines():
    (broken,) = read_mistakes("broken: first + second -> first + missing\n    Sorry.", scaled)
    line = inspect.getsourcelines(scaled)[1] + 1
    with pytest.raises(NameError) as caught:
        broken.function(1, 2)
    step = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (step.line, step.lineno) == ("total = first + missing  # the sum", line)
    assert "first + missing" in inspect.getsource(broken.function)
    assert unused_arguments(broken.function) == ["second"]


class Counter:
    def __init__(self, start):
        self.number = start

    def count(self):
        self.number += 1
        return self.number


def test_a_class_is_edited_as_a_function_is():
    (by_two,) = read_mistakes("by_two: += 1 -> += 2\n    One at a time.", Counter)
    assert by_two.function(5).count() == 7
    assert Counter(5).count() == 6


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("total -> sum", "'total' should stand in the reference once, not 2 times"),
        ("mean -> sum", "'mean' should stand in the reference once, not 0 times"),
        ("/ 2 => / 4", "'/ 2' should stand in the reference several times, not 1 times"),
        ("first + second -> 1 && + second -> 2", "two edits meet"),
        ("first + second -> 1 && second ", "an edit should be 'old -> new', it is 'second'"),
        ("/ 2 -> / (2", "'(' was never closed|does not match"),
        ("lambda first second: 1", "invalid syntax"),
        ("_no_such_function", "name '_no_such_function' is not defined"),
    ],
)
def test_what_is_not_fit_is_named_when_it_is_made_and_not_before(text, complaint):
    exercise = Exercise(
        scaled, {"answer": "a number"}, (), f"wrong_one: {text}\n    Oh.", lesson="02"
    )
    with pytest.raises(UnfitMistake, match="^scaled, mistake wrong_one: ") as caught:
        exercise.mistakes[0].functions  # noqa: B018
    assert any(part in str(caught.value) for part in complaint.split("|"))


def test_a_line_that_begins_no_mistake_is_refused():
    with pytest.raises(UnfitMistake, match="scaled: a line of mistakes .* It is 'no colon here'"):
        read_mistakes("no colon here", scaled)


def test_where_an_exercise_stands_is_read_in_the_docstring_of_its_module():
    assert (checks.scaled_scores.exercise.lesson, checks.scaled_scores.exercise.number) == ("02", 2)
    with pytest.raises(ValueError, match="of .*test_mistakes should begin with .* It is 'Mistakes"):
        Exercise(scaled, {"answer": "a number"}, (), "")
