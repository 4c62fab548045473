"""One small edit anywhere in a solution: when it changes the result, the check must not pass.

The edits are made in the notebooks' solutions, and in the checks' own references where these are
another program. Whether an edit
changes the result is decided on inputs that the checks do not use.
"""

import random

import torch

from course_checks.judge.answers import same
from course_checks.judge.calling import call, untouched_globals
from exercises.sources import (
    EXERCISES,
    define,
    judge_of,
    names_around,
    of_topic,
    program_of,
    solution_sources,
    source_of,
)
from tools.checks.edits_of_source import mutations

FEW = 6  # of them, drawn


def changes_the_result(exercise, original, edited):
    for seed in range(4):
        generator = torch.Generator().manual_seed(1000 + seed)
        for args in of_topic(exercise.name, "edit_inputs").inputs(exercise.name, generator):
            want, got = (call(exercise, function, args, seed) for function in (original, edited))
            if type(want.error) is not type(got.error) or want.bad_form != got.bad_form:
                return True
            parts = want.answer or ()
            if not all(same(want.answer[part], got.answer[part]) for part in parts):
                return True
    return False


def edits(name):
    """(what was done, the original function, the edited one), of the notebook and the reference."""
    notebook = solution_sources()[name][0]
    for what, source in mutations(notebook):
        yield f"{what}\n{source}", define(notebook, name), define(source, name)
    reference = EXERCISES[name].reference
    own = source_of(reference)
    if program_of(own) == program_of(notebook):
        return  # the same edits again
    for what, source in mutations(own):
        yield f"{what}\n{source}", reference, define(source, name, names_around(reference))


def missed_edits(name, seed):
    """Of a few edits, drawn with this seed: those that change the result and pass the check."""
    exercise = EXERCISES[name]
    todo = list(edits(name))
    missed = []
    with untouched_globals():
        for what, original, edited in random.Random(f"{name} {seed}").sample(
            todo, min(FEW, len(todo))
        ):
            passes = judge_of(name, seed)(edited).status == "pass"
            if passes and changes_the_result(exercise, original, edited):
                missed.append(what)
    return missed
