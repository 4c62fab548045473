"""Say a verdict in words: the one place where what was found becomes a Result."""

import torch
from torch import float32, float64, isclose, isfinite, isnan

from course_checks.exercise import Case, Exercise
from course_checks.judge.answers import close, shape_of
from course_checks.judge.errors import describe_error
from course_checks.judge.feedback import Result, Table, count_of, number, verb
from course_checks.judge.tables import tables_of
from course_checks.judge.verdict import BadForm, Broken, Fault, Trial, Verdict


def result_of(verdict: Verdict) -> Result:
    """The verdict with words and tables."""
    exercise, finding = verdict.exercise, verdict.finding
    tables: tuple[Table, ...] = ()
    inputs: tuple[Table, ...] = ()
    if isinstance(finding, Broken) and finding.part:
        tables, inputs = tables_of(exercise, finding.trial, finding.part)
    return Result(
        name=exercise.name,
        points=float(sum(got or 0 for _, got, _ in verdict.parts)),
        max_points=exercise.max_points,
        status=verdict.status,
        message=tuple(text for text in _message(verdict) if text),
        code=verdict.code,
        parts=verdict.parts,
        tables=tables,
        inputs=inputs,
        diagnosis=verdict.diagnosis,
        seed=verdict.seed,
    )


def _message(verdict: Verdict) -> list[str]:
    """What was found, in paragraphs; those of "" are left out."""
    exercise, finding = verdict.exercise, verdict.finding
    if isinstance(finding, Fault):
        return [describe_fault(exercise, finding)]
    if isinstance(finding, Broken):
        return _broken(verdict, finding)
    if verdict.status == "pass":
        return ["All of it is right."]
    text = f"Not done yet: write {exercise.signature} in the cell above, then run this cell again."
    return [text]


def describe_task(exercise: Exercise) -> str:
    """What help() says of a check: the signature, what is returned, what the points are for."""
    lines = [f"Lesson {exercise.lesson}, exercise {exercise.number}.", ""]
    lines += [f"    {exercise.signature}", "", "returns"]
    lines += [f"    {part}: {what}" for part, what in exercise.returns.items()]
    lines += ["", f"and gets {exercise.max_points} points where"]
    claims = [(item.points, item.claim) for item in exercise.properties]
    lines += [f"    {points}  {claim}" for points, claim in [*claims, (1, exercise.well_behaved)]]
    return "\n".join([*lines, "", f"checks.{exercise.name}({exercise.name}) judges yours."])


def describe_lack(result: Result) -> str:
    """What is to be done before a cell that needs full points, after the exercise's title."""
    lacks = "comes first: write it"
    if result.status != "todo":
        lacks = (
            f"is not at full points yet ({result.points:g} of {result.max_points}): "
            "see what its check says"
        )
    return f"{lacks}, then run this cell again."


def describe_fault(exercise: Exercise, fault: Fault, check: str = "") -> str:
    """What is wrong; ``check`` is what was called, if not the exercise's name."""
    name, got, wanted = fault.name, fault.got, fault.wanted
    for_input = describe_input(exercise, fault.case) if fault.case else ""
    match fault.code:
        case "no_function":
            return (
                f"This check takes the {exercise.noun} itself, as in "
                f"checks.{check or exercise.name}({exercise.name}), and calls it with its "
                f"own inputs. It was given {got}."
            )
        case "other_arguments":
            arguments = exercise.parameters
            return (
                f"{exercise.name} is called with {count_of(len(arguments), 'argument')}: "
                f"{', '.join(arguments)}. Yours is defined with {got}."
            )
        case "endless":
            return (
                f"Your function had not ended after {got:g} seconds{for_input} and was stopped. "
                "Is there a loop whose condition never becomes false, or one with far too many "
                "rounds?"
            )
        case "too_slow":
            return (
                f"Your function is too slow: the calls up to the one{for_input} took more than "
                f"{got:g} seconds in all. These inputs are small."
            )
        case "sentence":
            return got
        case "answers_vary":
            return exercise.when_it_varies
        case "changes_input":
            how = "x = sorted(x) does, x.sort() and x[0] = 1 do not"
            if isinstance(got, torch.Tensor):
                how = "x = x - 1 or x = x.clone() does, x -= 1 does not"
            return (
                f"Your {exercise.noun} changes its input {name} in place. The caller still needs "
                f"it: make a new value instead ({how})."
            )
        case "device":
            return (
                f"Your {name} {verb(name, 'is')} on the device {got}; the input is on {wanted}, "
                "and the answer should stay there."
            )
    # It is the dtype.
    should = f"the input's is {wanted}, and the answer should keep it"
    if exercise.dtype or wanted == torch.bool:
        should = f"it should be {wanted}"
    if wanted == torch.bool:
        should += ": torch adds a mask of numbers to the scores, and 0 blocks nothing"
    return f"Your {name} {verb(name, 'has')} dtype {got}; {should}."


def _broken(verdict: Verdict, finding: Broken) -> list[str]:
    """The mistake by its name, or which property broke, with the numbers that show it."""
    exercise, trial, fault = verdict.exercise, finding.trial, finding.besides
    outcome, first = trial.outcome, exercise.properties[0]
    besides = describe_fault(exercise, fault) if fault else ""
    message: list[str] = []
    if len(finding.mistakes) == 2:
        either, other = (mistake.sentence for mistake in finding.mistakes)
        message += ["Two mistakes look like this.", f"Either: {either}", f"Or: {other}"]
    elif finding.mistakes:
        mistake = finding.mistakes[0]
        message += mistake.sentences(trial.case.args, trial.expected, outcome.answer)
    elif fault and verdict.diagnosis == fault.code:
        message.append(besides)
    elif outcome.answer:
        if finding.item is not first:  # which says what "the same" or "it" means
            message.append(f"This is right: {first.claim}.")
        message.append(f"This is not right yet: {finding.item.claim}.")
        if right := finding.right_part:
            message.append(f"Your {right} {verb(right, 'is')} right: it is the other answer.")
    if fault and verdict.diagnosis != fault.code:
        message.append(besides)
    unused = ""
    if finding.unused:
        unused = (
            f"Your function never uses what it gets as {' and '.join(finding.unused)}. "
            "Was it forgotten, or is a variable of the notebook used in its place?"
        )
    if outcome.error:  # last, since the line follows
        for_input = describe_input(exercise, trial.case)
        message += [unused, describe_error(exercise, trial.case, outcome.error, for_input)]
    elif outcome.bad_form:
        message += [describe_form(exercise, outcome.bad_form), unused]
    elif outcome.answer:
        message.append(unused)
        sentences = _difference(exercise, trial, finding.part)
        message.append(" ".join(text for text in sentences if text not in message))
    return message


FORMS = {
    "tensor": "a torch.Tensor",
    "numbers": "a list of numbers",
    "bool": "True or False",
    "shapes": "a list of (name, shape) pairs, each shape a tuple,",
}
LIKELY = {
    "printed": " It prints something: print shows a value, return hands it back.",
    "one of two": " It looks as if you returned only one of the two.",
    "an array": " Compute it with torch's functions: through an array no gradient flows.",
    "": "",
}


def describe_form(exercise: Exercise, form: BadForm) -> str:
    """Which form was asked for, and which came."""
    if form.sentence:
        return form.sentence
    hint, names = LIKELY[form.likely], list(exercise.returns)
    if form.part:
        wanted = f"{FORMS[exercise.kind]} as {form.part}"
    elif form.got == "None":
        return f"Your function returned None: is there a return at its end?{hint}"
    else:
        wanted = f"{len(names)} things, ({', '.join(names)})"
    return f"Your function should return {wanted}. It returned {form.got}.{hint}"


def _difference(exercise: Exercise, trial: Trial, part: str) -> list[str]:
    """How this part of the answer differs from what was expected."""
    want, got = trial.expected[part], (trial.outcome.answer or {})[part]
    for_input = describe_input(exercise, trial.case)
    if exercise.kind == "bool":
        about = f"{part}: " if len(trial.expected) > 1 else ""
        return [f"Your function says {about}{got}{for_input}; it should say {about}{want}."]
    if exercise.kind == "shapes":
        return [_first_other_pair(want, got, for_input)]
    if isinstance(want, str):
        return [f"Seen{for_input}: {got}"]
    if want.shape != got.shape:
        return [
            f"Your {part} {verb(part, 'has')} shape {shape_of(got)}{for_input}; expected "
            f"{shape_of(want)}, that is {exercise.returns[part]}."
        ]
    if want.dtype == got.dtype == torch.bool:
        differ = f"{int((want != got).sum())} of {count_of(want.numel(), 'place')}"
        wrong_in = f"{verb(part, 'is')} wrong in {differ}{for_input}"
        return [f"Your {part} {wrong_in} (in the tables, 1 means True)."]
    got, want = got.to("cpu", float64), want.to("cpu", float64)
    if bool(isnan(got).any()):
        return [
            f"Your {part} {verb(part, 'has')} NaN (not a number) in {int(isnan(got).sum())} of "
            f"{count_of(got.numel(), 'place')}{for_input}. It comes from a step such as 0/0 "
            "or infinity - infinity."
        ]
    if bool((~isfinite(got)).any()):
        return [f"Your {part} became infinite{for_input}."]
    if any(
        got[i] != want[i] for i in trial.integer_entries.get(part, ())
    ):  # a distance would say nothing
        right, yours = (_in_words(values, trial.integer_entries[part]) for values in (want, got))
        return [f"Your {part} {verb(part, 'is')} {yours}{for_input}; expected {right}."]
    gap = float((got - want).abs().max())
    text = f"Your {part} {verb(part, 'is')} off by up to {number(gap)}{for_input}."
    return [text, *_pattern(part, want, got)]


def _in_words(values: torch.Tensor, integers: frozenset[int]) -> str:
    entries = [number(value, 3, i in integers) for i, value in enumerate(values.tolist())]
    return f"({', '.join(entries)})"


def _first_other_pair(want: list, got: list, for_input: str) -> str:
    text = f"Your list has {count_of(len(got), 'pair')}{for_input}; expected {len(want)}."
    for i, (right, yours) in enumerate(zip(want, got, strict=False)):
        if yours != right:
            return f"{text} Pair {i} is {yours}; expected {right}."
    return text


def _pattern(part: str, want: torch.Tensor, got: torch.Tensor) -> list[str]:
    """What two matrices of numbers have in common, where it is simple."""
    for n in range(1, 6):
        # Some digit must show it: nothing but zeros and ones may be what a maximum leaves.
        has_digits = not bool(isclose(got, got.round(), atol=1e-7).all())
        if has_digits and bool(isclose(got, want.round(decimals=n), atol=1e-7).all()):
            return ["Yours are rounded: do not round what you return."]
    largest = want.abs().argmax()
    factor = float((got.reshape(-1)[largest] / want.reshape(-1)[largest]).nan_to_num())
    if want.numel() > 1 and factor and bool(close(want, got / factor).all()):
        return [f"Here each entry of your {part} is {number(factor)} times what it should be."]
    return []


def describe_input(exercise: Exercise, case: Case) -> str:
    """ " for ..." : the case's label, or the shape of each argument."""
    if case.label:
        return f" for {case.label}{case.note}"
    words = []
    for name, value in zip(exercise.arguments, case.args, strict=True):
        if isinstance(value, torch.Tensor):
            dtype = "" if value.dtype == float32 else f" and dtype {value.dtype}"
            words.append(f"{name} of shape {shape_of(value)}{dtype}")
        elif isinstance(value, list):
            if isinstance(value[0], list):  # "2 keys of 3 numbers each"
                words.append(
                    f"{count_of(len(value), name.removesuffix('s'))} of "
                    f"{count_of(len(value[0]), 'number')}"
                )
            else:
                words.append(f"a {name} of {count_of(len(value), 'number')}")
        else:
            words.append(f"{name} {value}")
    return " for " + ", ".join(words) + case.note
