"""The right answers of the checks stand by themselves: no change of the library changes them."""

import functools
import sys
from pathlib import Path

import pytest
import torch
from torch import nn

import course_lib
from course_checks.judge.calling import call
from course_checks.judge.source import unused_arguments
from course_lib import SingleHead, causal_mask
from exercises.sources import EXERCISES, judge_of

LIBRARY = str(Path(course_lib.__file__).parent)


def modules_in(value):
    """The modules in an argument, with their parts."""
    if isinstance(value, nn.Module):
        return list(value.modules())
    parts = value if isinstance(value, list | tuple) else ()
    return [part for item in parts for part in modules_in(item)]


def watched(function, ran):
    """The same function or class, which adds to ``ran`` what it runs of course_lib.

    What a module runs that it is given counts not: that is its argument.
    """

    @functools.wraps(function)
    def with_profile(*args, **options):
        given, inside, before = modules_in(args), [], sys.getprofile()

        def note(frame, event, _):
            if event == "call" and any(frame.f_locals.get("self") is part for part in given):
                inside.append(frame)
            elif event == "call" and not inside:
                is_library = frame.f_code.co_filename.startswith(LIBRARY)
                ran.update({frame.f_code.co_name} if is_library else ())
            elif event == "return" and inside and inside[-1] is frame:
                inside.pop()

        sys.setprofile(note)
        try:
            answer = function(*args, **options)
        finally:
            sys.setprofile(before)
        if isinstance(function, type):
            answer.forward = watched(answer.forward, ran)
        return answer

    return with_profile


@pytest.mark.parametrize("name", EXERCISES)
def test_a_reference_runs_nothing_of_the_library(name):
    exercise, ran = EXERCISES[name], set()
    reference = watched(exercise.reference, ran)
    for group in judge_of(name, 0).unanswered_trials(0):
        for trial in group:
            outcome = call(exercise, reference, trial.case.args, trial.call_seed)
            assert outcome.answer is not None, outcome
    assert ran == set()


def late(x):
    from course_lib.attention.masks import masked_softmax

    return masked_softmax(x, None)


@pytest.mark.parametrize("function", [late, lambda x: [causal_mask(len(row)) for row in x]])
def test_a_use_of_the_library_is_found_wherever_it_stands(function):
    watched(function, ran := set())(torch.zeros(2, 3))
    assert ran & {"masked_softmax", "causal_mask"}


def test_a_layer_that_is_given_may_run():
    head, x = SingleHead(3, 2), torch.zeros(1, 2, 3)
    watched(lambda layer, x: layer(x), ran := set())(head, x)
    assert ran == set()
    watched(lambda x: head(x), ran)(x)
    assert "scaled_dot_product_attention" in ran


@pytest.mark.parametrize("name", EXERCISES)
def test_an_argument_that_the_reference_does_not_read_is_optional(name):
    exercise = EXERCISES[name]
    assert unused_arguments(exercise.reference, exercise.optional) == []
