"""Wrong answers that nobody wrote: small edits of right ones, and two mistakes in one.

An edit that changes the result must not pass. The edits are made in the notebooks' solutions, and
in the checks' own references where these are another program. No message names a mistake that is
not in the code: a name is true where the mistake was put in, or does just what the code does. What
code does is seen on the other inputs that stand beside an exercise's answers.
"""

import random
from collections.abc import Callable, Iterator

import torch

from course_checks.judge.answers import same
from course_checks.judge.calling import call, copy_of, untouched_globals
from course_checks.judge.diagnose import agree
from tools.checks.edits_of_source import mutations
from tools.checks.exercise_sources import (
    EXERCISES,
    define,
    judge_of,
    names_around,
    program_of,
    solution_sources,
    source_of,
)
from tools.checks.shipped_answers import other_inputs

# So many are drawn for each seed.
EDITS, EDITS_TO_NAME = 6, 2
PAIRS = 2  # of mistakes; each pair is put together in every way


def some_edits(name, seed):
    """(what was done, the original function, the edited one), of the notebook and the reference."""
    notebook, reference = solution_sources()[name][0], EXERCISES[name].reference
    originals: list[tuple[str, Callable, dict | None]] = [(notebook, define(notebook, name), None)]
    own = source_of(reference)
    if program_of(own) != program_of(notebook):  # else they would be the same edits again
        originals.append((own, reference, names_around(reference)))
    every = [
        (f"{what}\n{edited}", original, edited, names)
        for source, original, names in originals
        for what, edited in mutations(source)
    ]
    some = random.Random(f"{name} {seed}").sample(every, min(EDITS, len(every)))
    for what, original, edited, names in some:
        yield what, original, define(edited, name, names)


def inputs_beside(exercise) -> Iterator[tuple[tuple, int]]:
    """Arguments that the check does not draw, each with the seed to call with."""
    draw = other_inputs(exercise.name)
    assert draw is not None  # else the exercise is not whole
    for seed in range(4):
        for args in draw(torch.Generator().manual_seed(1000 + seed)):
            yield args, seed


# --- edits that pass ----------------------------------------------------------------------------


def changes_the_result(exercise, original, edited):
    for args, seed in inputs_beside(exercise):
        want, got = (call(exercise, function, args, seed) for function in (original, edited))
        if type(want.error) is not type(got.error) or want.bad_form != got.bad_form:
            return True
        right, other = want.answer or {}, got.answer or {}
        if not all(same(right[part], other[part]) for part in right):
            return True
    return False


def faults_of_edits(name, seed):
    """Of a few edits, drawn with this seed: those that change the result and pass the check, and of
    the first two those that are called what they are not."""
    exercise, found = EXERCISES[name], []
    with untouched_globals():
        for number, (what, original, edited) in enumerate(some_edits(name, seed)):
            result = judge_of(name, seed)(edited)
            if result.status == "pass" and changes_the_result(exercise, original, edited):
                found.append(f"passes: {what}")
            if number < EDITS_TO_NAME and (names := untrue_names(exercise, edited, result)):
                found.append(f"{names}: {what}")
    return found


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


def by_feature(exercise, first, second, draw):
    """One mistake on inputs that have some feature, and the other on the rest."""
    feature = FEATURES[draw.choice(list(FEATURES))]

    def version(*args):
        numbers = numbers_in(args)
        return (first if numbers and feature(numbers) else second)(*args)

    return version


def added(exercise, first, second, draw):
    """What both mistakes change, where an answer is made of numbers."""
    if exercise.kind not in ("tensor", "numbers"):
        return None

    def version(*args):
        results = [f(*copy_of(args)) for f in (first, second, exercise.reference)]
        if len(exercise.returns) == 1:
            return _sum_of_deviations(*results)
        return tuple(map(_sum_of_deviations, *results))

    return version


def _sum_of_deviations(first, second, right):
    if isinstance(first, (list, tuple)):
        return [a + b - c for a, b, c in zip(first, second, right, strict=True)]
    if isinstance(first, torch.Tensor) and not first.dtype.is_floating_point:
        return first
    return first + second - right


def by_part(exercise, first, second, draw):
    """The first part of the answer has one mistake, and the rest the other."""
    if len(exercise.returns) == 1 or exercise.kind == "observed":
        return None
    return lambda *args: (first(*copy_of(args))[0], *second(*args)[1:])


def both_or_either(exercise, first, second, draw):
    """Of a student's test: it says True where both wrong tests do, or where either does."""
    if exercise.kind != "bool" or len(exercise.returns) > 1:
        return None
    combine = draw.choice([all, any])
    return lambda *args: combine([first(*copy_of(args)), second(*args)])


WAYS = [by_feature, added, by_part, both_or_either]


# --- which names are true -----------------------------------------------------------------------


def does_the_same(exercise, version, function):
    """Whether the two give the same answers to inputs that the check does not draw.

    A student's test may shuffle: one of many tries must agree. And what a mistake says to every
    input, that it always says False, is what was seen when the function did so to all that it got.
    """
    if exercise.kind == "bool" and _is_constant(version):
        return True
    for args, seed in inputs_beside(exercise):
        right = call(exercise, exercise.reference, args, seed)
        answer = call(exercise, function, args, seed)
        tries = (call(exercise, version, args, luck) for luck in range(40))
        if right.answer and not any(agree(right.answer, answer, other) for other in tries):
            return False
    return True


def _is_constant(version):
    code = getattr(version, "__code__", None)
    return code is not None and not code.co_names and not code.co_freevars


def untrue_names(exercise, function, result, present=()):
    """The mistakes that a result names, of those that are neither ``present`` nor look alike."""
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
    with untouched_globals():
        for _ in range(PAIRS):
            pair = draw.sample(exercise.mistakes, 2)
            present = tuple(mistake.name for mistake in pair)
            first, second = (mistake.function for mistake in pair)
            for way in WAYS:
                function = way(exercise, first, second, draw)
                if function is None:
                    continue
                names = untrue_names(exercise, function, judge_of(name, seed)(function), present)
                if names:
                    yield f"{way.__name__} {present}: {names}"
