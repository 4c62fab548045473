"""Do gradients go through an answer, to every tensor among its arguments?"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from course_checks.exercise import Case, Exercise, Mistake, Question
from course_checks.judge.answers import same
from course_checks.judge.calling import beside, call
from course_checks.judge.verdict import Outcome

OTHER_GRADIENT = (
    "The numbers are right, and the gradient is not that of this answer: it is cut off somewhere "
    "on the way. detach, .data and no_grad do that."
)

NAN_GRADIENT = (
    "The numbers are right, and their gradient is NaN where nothing may be attended to. A NaN "
    "arose there (0/0, or the softmax of minus infinity everywhere) and was replaced afterwards; "
    "on the way back the slope of the replaced place is 0, and 0 times NaN is NaN. Let none arise: "
    "mend such a row before the softmax (or the division), and set it to 0 after it."
)

OTHER_NUMBERS = "The numbers are not those of this answer, so its gradients say nothing."


def cut_off(*names: str) -> str:
    """What to say of a function whose numbers are right and whose gradient stops."""
    return (
        f"The numbers are right, but gradients must reach {' and '.join(names)}, or nothing can be "
        "learned: detach, .data, no_grad, .item() and NumPy cut them off."
    )


def detached(*names: str, name: str = "cut_off") -> Mistake:
    """The right numbers, from which no gradient reaches the arguments ``names``."""
    return Mistake(name, cut_off(*names), "lambda *inputs: detach_all(reference(*inputs))")


def detach_all(answer: Any) -> Any:
    return answer.detach() if isinstance(answer, Tensor) else tuple(map(detach_all, answer))


def gradient_fault(
    exercise: Exercise, function: Callable, cases: Iterable[Case]
) -> tuple[str, str] | None:
    """A sentence when they do not, or are not those of the reference: ``Property(gradient=...)``.

    ``OTHER_NUMBERS`` is no finding where another property has found the numbers wrong.

    Every part of the answer is a tensor. Masks and numbers of tokens have no gradient.
    """
    in_one_row = replace(
        exercise, returns={"gradients": "the answer and the gradients, in one row"}
    )
    for case in cases:
        outcome, right = (  # in this order: the function finds no right answer that is there
            beside(code, _call_with_gradients, in_one_row, code, case.args)
            for code in (function, exercise.reference)
        )
        if not (right.answer and outcome.answer):
            if not call(exercise, function, case.args, 0).answer:
                return OTHER_NUMBERS, ""
            pairs = zip(exercise.parameters, case.args, strict=True)
            return cut_off(*(name for name, value in pairs if _is_floating(value))), ""
        of_args = sum(value.numel() for value in case.args if _is_floating(value))
        wanted, given = (
            answer["gradients"].tensor_split([-of_args])
            for answer in (right.answer, outcome.answer)
        )
        if not same(wanted[0], given[0]):
            return OTHER_NUMBERS, ""
        if not given[1].isfinite().all():
            return NAN_GRADIENT, ""
        if not same(wanted[1], given[1]):
            return OTHER_GRADIENT, ""
    return None


def _is_floating(value: Any) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def _call_with_gradients(exercise: Exercise | Question, function: Callable, args: tuple) -> Outcome:
    return call(exercise, _with_gradients(function), args, 0)


def _with_gradients(function: Callable) -> Callable:
    """The answer and the gradients of a weighted sum of it, in one row."""

    def both(*args):
        leaves = [value.requires_grad_() for value in args if _is_floating(value)]
        answer = function(*(v.clone() if isinstance(v, Tensor) else v for v in args))
        parts = [answer] if isinstance(answer, Tensor) else answer
        row = torch.cat([part.flatten() for part in parts])
        weight = torch.linspace(1, 2, len(row), device="cpu")  # 0 would hide what its number does
        gradients = torch.autograd.grad((row * weight).sum(), leaves)
        return torch.cat([row, *(part.flatten() for part in gradients)])

    return both
