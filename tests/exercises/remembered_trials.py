"""Make the inputs of a check, and run its mutants on them, once for many judgements.

A student's check draws new inputs each time. Here the same seeds come back for every mutant, and
each judgement runs all mutants to tell them apart: without memory most of the time of these tests
would go into repeating that. A function that is no mutant is always called anew.
"""

import pytest

from course_lib.checks.judge import diagnose, engine


class Memory:
    """Inputs and right answers by seed, and what the mutants did; of one exercise at a time."""

    def __init__(self):
        self.make_trials, self.call = engine._trials, diagnose.call
        self.exercise, self.groups, self.outcomes, self.mutants = None, {}, {}, set()

    def trials(self, exercise, seed):
        if exercise is not self.exercise:
            self.exercise, self.groups, self.outcomes = exercise, {}, {}
            self.mutants = {each for mutant in exercise.mutants for each in mutant.functions}
        if seed not in self.groups:
            self.groups[seed] = self.make_trials(exercise, seed)
        return self.groups[seed]

    def call_again(self, exercise, function, args, call_seed, *watchdog):
        # `args` belong to the groups above: as long as these are kept, no other has its id.
        if exercise is not self.exercise or function not in self.mutants:
            return self.call(exercise, function, args, call_seed, *watchdog)
        key = (function, id(args), call_seed)
        if key not in self.outcomes:
            self.outcomes[key] = self.call(exercise, function, args, call_seed)
        return self.outcomes[key]


@pytest.fixture(autouse=True, scope="module")
def remembered_trials():
    memory = Memory()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_trials", memory.trials)
        patch.setattr(engine, "call", memory.call_again)
        patch.setattr(diagnose, "call", memory.call_again)
        yield
