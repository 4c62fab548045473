"""The functions and the clock of lesson 04, exercise 9: a call takes what the check says."""

import math

import torch

from course_checks.exercise import Case


class _Machine:
    """A clock, and how many calls of work it has seen: after ``fast_calls`` all takes 4 times."""

    def __init__(self, fast_calls=math.inf):
        self.now, self.calls, self.fast_calls = 0.0, 0, fast_calls

    def clock(self):
        return self.now


class _Work:
    """Takes ``cost`` and, the first time, ``first`` more; ``pattern`` factors take turns."""

    def __init__(self, machine, cost, first=0.0, pattern=(1.0,)):
        self.machine, self.cost, self.first, self.pattern = machine, cost, first, pattern
        self.calls = 0

    def __call__(self):
        seconds = self.cost * self.pattern[self.calls % len(self.pattern)]
        seconds += 0.0 if self.calls else self.first
        seconds *= 1 if self.machine.calls < self.machine.fast_calls else 4
        self.calls += 1
        self.machine.calls += 1
        self.machine.now += seconds


def _numbers(generator, count, least, most):
    return (least + (most - least) * torch.rand(count, generator=generator)).tolist()


def _costs(generator, count):
    """The first is neither the least nor the most of all; the least is any of the others."""
    ranges = [(3, 4), *[(5, 9)] * (count - 1)]
    ranges[int(torch.randint(1, count, (), generator=generator))] = (1, 2)
    return [_numbers(generator, 1, least, most)[0] for least, most in ranges]


def _case(works, machine, rounds, words):
    return Case((tuple(works), machine.clock, rounds), None, f"{words}, rounds = {rounds}")


def steady(generator):
    for count, rounds in ((3, 3), (4, 1)):
        machine = _Machine()
        works = [_Work(machine, cost) for cost in _costs(generator, count)]
        yield _case(works, machine, rounds, f"{count} functions that take always the same")


def cold(generator):
    machine = _Machine()
    costs, firsts = _costs(generator, 3), _numbers(generator, 3, 10, 90)
    works = [_Work(machine, *pair) for pair in zip(costs, firsts, strict=True)]
    return [_case(works, machine, 1, "functions whose first call takes longer")]


def interrupted(generator):
    for rounds in (5, 7, 11):
        machine, works = _Machine(), []
        for cost in _costs(generator, 3):
            half = rounds // 2  # as many calls below the usual time as above it
            below, above = _numbers(generator, half, 0.3, 0.8), _numbers(generator, half, 2, 40)
            pattern = torch.tensor([*below, 1.0, *above])[
                torch.randperm(rounds, generator=generator)
            ]
            works.append(_Work(machine, cost, pattern=pattern.tolist()))
        yield _case(works, machine, rounds, "functions that are interrupted now and then")


def throttled(generator):
    machine = _Machine(fast_calls=6)  # the warm-up and one round of three
    works = [_Work(machine, cost) for cost in _costs(generator, 3)]
    return [_case(works, machine, 5, "a machine that gets hot and slow after 6 calls")]
