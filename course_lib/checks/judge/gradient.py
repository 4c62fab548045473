"""Do gradients go through an answer, to every tensor among its arguments?"""

from collections.abc import Callable

import torch
from torch import Tensor

from course_lib.checks.exercise import Case, Exercise
from course_lib.checks.judge.answers import close
from course_lib.checks.judge.calling import call


def gradient_fault(
    exercise: Exercise, function: Callable, cases: list[Case]
) -> tuple[str, str] | None:
    """A sentence when they do not, or are not those of the reference; for ``Property(judge=...)``.

    The exercise has one answer, a tensor.
    """
    (part,) = exercise.returns
    for case in cases:
        right, outcome = (
            call(exercise, _with_gradients(one), case.args, 0)
            for one in (exercise.reference, function)
        )
        if not (right.answer and outcome.answer):
            pairs = zip(exercise.parameters, case.args, strict=True)
            names = " and ".join(name for name, value in pairs if isinstance(value, Tensor))
            return (
                f"The numbers are right, but gradients must reach {names}, or nothing can be "
                "learned: detach, .data, .item() and NumPy cut them off."
            ), ""
        want, got = right.answer[part], outcome.answer[part]
        if want.shape != got.shape or not close(want, got).all():
            return "The gradient is not that of this answer: detach and .data cut it off.", ""
    return None


def _with_gradients(function: Callable) -> Callable:
    """The answer and the gradients of a weighted sum of it, in one row."""

    def both(*args):
        leaves = [value.requires_grad_() for value in args if isinstance(value, Tensor)]
        answer = function(*(v.clone() if isinstance(v, Tensor) else v for v in args))
        weight = torch.linspace(-1, 2, answer.numel(), device="cpu").view(answer.shape)
        gradients = torch.autograd.grad((answer * weight).sum(), leaves)
        return torch.cat([part.flatten() for part in (answer, *gradients)])

    return both
