"""Do gradients go through an answer, to every tensor among its arguments?"""

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Tensor

from course_lib.checks.exercise import Case, Exercise
from course_lib.checks.judge.answers import close
from course_lib.checks.judge.calling import call


def gradient_fault(
    exercise: Exercise, function: Callable, cases: list[Case]
) -> tuple[str, str] | None:
    """A sentence when they do not, or are not those of the reference; for ``Property(judge=...)``.

    Every part of the answer is a tensor.
    """
    seen = replace(exercise, returns={"gradients": "the answer and the gradients, in one row"})
    for case in cases:
        right, outcome = (
            call(seen, _with_gradients(one), case.args, 0) for one in (exercise.reference, function)
        )
        if not (right.answer and outcome.answer):
            pairs = zip(exercise.parameters, case.args, strict=True)
            return cut_off(*(name for name, value in pairs if isinstance(value, Tensor))), ""
        want, got = right.answer["gradients"], outcome.answer["gradients"]
        if want.shape != got.shape or not close(want, got).all():
            return "The gradient is not that of this answer: detach and .data cut it off.", ""
    return None


def cut_off(*names: str) -> str:
    """What to say when no gradient reaches one of these arguments."""
    return (
        f"The numbers are right, but gradients must reach {' and '.join(names)}, or nothing can be "
        "learned: detach, no_grad, .data, .item() and NumPy cut them off."
    )


def _with_gradients(function: Callable) -> Callable:
    """The answer and the gradients of a weighted sum of it, in one row."""

    def both(*args):
        leaves = [value.requires_grad_() for value in args if isinstance(value, Tensor)]
        answer = function(*(v.clone() if isinstance(v, Tensor) else v for v in args))
        parts = [answer] if isinstance(answer, Tensor) else answer
        row = torch.cat([part.flatten() for part in parts])
        weight = torch.linspace(-1, 2, len(row), device="cpu")
        gradients = torch.autograd.grad((row * weight).sum(), leaves)
        return torch.cat([row, *(part.flatten() for part in gradients)])

    return both
