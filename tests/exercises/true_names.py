"""No message names a mistake that is not in the code, whatever mistakes are put together.

Wrong answers are made from the named mistakes, two at a time, and by small edits of the right
answers. A name is true of the code when it is one of the two, or when that mistake does just what
the code does on inputs that the checks do not use.
"""

import random

import torch

from course_checks.judge.calling import call, copy_of, untouched_globals
from course_checks.judge.diagnose import agree
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

PAIRS = 2  # of mistakes, drawn; each pair is put together in every way
EDITS = 2  # of the right answers, drawn


# --- two mistakes in one answer -----------------------------------------------------------------


def numbers_in(value):
    """All numbers in an argument, as a flat list: what a feature of the inputs is taken from."""
    if isinstance(value, torch.nn.Module):
        value = list(value.parameters())
    if isinstance(value, torch.Tensor):
        return value.detach().double().flatten().tolist()
    if isinstance(value, (tuple, list)):
        return [number for item in value for number in numbers_in(item)]
    return [float(value)] if isinstance(value, (int, float)) else []


FEATURES = {
    "a positive first number": lambda numbers: numbers[0] > 0,
    "a positive sum": lambda numbers: sum(numbers) > 0,
    "an odd count": lambda numbers: len(numbers) % 2 == 1,
    "many numbers": lambda numbers: len(numbers) > 24,
    "a large number": lambda numbers: max(map(abs, numbers)) > 3,
}


def by_feature(exercise, one, other, draw):
    """One mistake on inputs that have some feature, and the other on the rest."""
    feature = FEATURES[draw.choice(list(FEATURES))]

    def version(*args):
        numbers = numbers_in(args)
        return (one if numbers and feature(numbers) else other)(*args)

    return version


def added(exercise, one, other, draw):
    """What both mistakes change, where an answer is made of numbers."""
    if exercise.kind not in ("tensor", "numbers"):
        return None

    def version(*args):
        first, *rest = (f(*copy_of(args)) for f in (one, other, exercise.reference))
        if len(exercise.returns) == 1:
            return _sum_of_deviations(first, *rest)
        return tuple(map(_sum_of_deviations, first, *rest))

    return version


def _sum_of_deviations(one, other, right):
    if isinstance(one, (list, tuple)):
        return [a + b - c for a, b, c in zip(one, other, right, strict=True)]
    if isinstance(one, torch.Tensor) and not one.dtype.is_floating_point:
        return one
    return one + other - right


def by_part(exercise, one, other, draw):
    """The first part of the answer has one mistake, and the rest the other."""
    if len(exercise.returns) == 1 or exercise.kind == "observed":
        return None
    return lambda *args: (one(*copy_of(args))[0], *other(*args)[1:])


def both_or_one(exercise, one, other, draw):
    """Of a student's test: it says True where both wrong tests do, or where one does."""
    if exercise.kind != "bool" or len(exercise.returns) > 1:
        return None
    combine = draw.choice([all, any])
    return lambda *args: combine([one(*copy_of(args)), other(*args)])


WAYS = [by_feature, added, by_part, both_or_one]


# --- which names are true -----------------------------------------------------------------------


def does_the_same(exercise, version, function):
    """Whether the two give the same answers to inputs that the check does not draw.

    A student's test may shuffle: one of many tries must agree. And what a mistake says to every
    input, that it always says False, is what was seen when the function did so to all that it got.
    """
    if exercise.kind == "bool" and _is_constant(version):
        return True
    for seed in range(4):
        generator = torch.Generator().manual_seed(1000 + seed)
        for args in of_topic(exercise.name, "edit_inputs").inputs(exercise.name, generator):
            right = call(exercise, exercise.reference, args, seed)
            one = call(exercise, function, args, seed)
            others = (call(exercise, version, args, luck) for luck in range(40))
            if right.answer and not any(agree(right.answer, one, other) for other in others):
                return False
    return True


def _is_constant(version):
    code = getattr(version, "__code__", None)
    return code is not None and not code.co_names and not code.co_freevars


def untrue_names(exercise, function, seed, present=()):
    """The mistakes that the check names, of those that are neither ``present`` nor look alike."""
    result = judge_of(exercise.name, seed)(function)
    named = (result.diagnosis or "").split(" | ")
    return [
        mistake.name
        for mistake in exercise.mistakes
        if mistake.name in named and mistake.name not in present
        if not any(does_the_same(exercise, version, function) for version in mistake.functions)
    ]


def untrue_names_of_pairs(name, seed):
    """What two mistakes in one answer are called and are not; the seed draws some pairs."""
    exercise, draw = EXERCISES[name], random.Random(f"{name} {seed}")
    wrongly = []
    with untouched_globals():
        for _ in range(PAIRS):
            one, other = draw.sample(exercise.mistakes, 2)
            for way in WAYS:
                function = way(exercise, one.function, other.function, draw)
                present = one.name, other.name
                found = untrue_names(exercise, function, seed, present) if function else []
                wrongly += [f"{way.__name__} {present}: {found}"] * bool(found)
    return wrongly


def untrue_names_of_edits(name, seed):
    """What small edits of right answers are called and are not; the seed draws some edits."""
    exercise, draw = EXERCISES[name], random.Random(f"{name} {seed}")
    reference, notebook = exercise.reference, solution_sources()[name][0]
    edits = [(what, source, None) for what, source in mutations(notebook)]
    own = source_of(reference)
    if program_of(own) != program_of(notebook):
        edits += [(*edit, names_around(reference)) for edit in mutations(own)]
    wrongly = []
    with untouched_globals():
        for what, source, names in draw.sample(edits, min(EDITS, len(edits))):
            found = untrue_names(exercise, define(source, name, names), seed)
            wrongly += [f"{what}: {found}\n{source}"] * bool(found)
    return wrongly
