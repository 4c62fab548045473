"""A function of the course's own that an answer may call, while its code stays with the judge.

``lent_by`` makes it, in the process of the answer. Gradients go through it: the judge keeps what it
has computed until it is asked for the slopes.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from course_checks.judge.border import ask_back


def lent_by(name: str) -> Callable:
    """The course's own ``name``, of tensors and other data."""

    def lent(*args):
        where = [
            place
            for place, value in enumerate(args)
            if torch.is_grad_enabled() and isinstance(value, Tensor) and value.requires_grad
        ]
        if not where:
            return ask_back(name, args, where)[1]
        answer = _Lent.apply(name, args, where, *(args[place] for place in where))
        return answer[0] if len(answer) == 1 else answer

    lent.__name__ = name
    return lent


class _Lent(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, name: str, args: tuple, where: list[int], *leaves: Tensor
    ) -> tuple[Tensor, ...]:
        ctx.number, answer = ask_back(name, args, where)
        return answer if isinstance(answer, tuple) else (answer,)

    @staticmethod
    def backward(ctx: Any, *slopes: Tensor) -> tuple:
        return (None, None, None, *ask_back("", ctx.number, slopes))


class Lender:
    """The judge's side: it answers what ``lent_by`` asks, and notes the functions in ``used``."""

    def __init__(self, functions: dict[str, Callable]) -> None:
        self.functions = functions
        self.used: set[str] = set()
        self._done: list[tuple[list[Tensor], Any]] = []  # the leaves and the answer of each call

    def answer(self, name: str, *given: Any) -> Any:
        """The number of the call and its answer; without a name, the slopes of an earlier call."""
        return self._call(name, *given) if name else self._slopes(*given)

    def _call(self, name: str, args: tuple, where: list[int]) -> tuple[int, Any]:
        leaves = [args[place].requires_grad_() for place in where]
        answer = self.functions[name](*args)
        numbers = detached(answer)
        self.used.add(name)
        self._done.append((leaves, answer))
        return len(self._done) - 1, numbers

    def _slopes(self, number: int, slopes: tuple[Tensor, ...]) -> tuple[Tensor | None, ...]:
        leaves, answer = self._done[number]
        parts = answer if isinstance(answer, tuple) else (answer,)
        pairs = [pair for pair in zip(parts, slopes, strict=True) if pair[0].requires_grad]
        outputs, weights = zip(*pairs, strict=True)
        return torch.autograd.grad(outputs, leaves, weights, retain_graph=True, allow_unused=True)


def detached(answer: Any) -> Any:
    """The same without gradients; TypeError where it holds code, which stays with the judge."""
    kind = type(answer)
    if isinstance(answer, Tensor):
        return answer.detach()
    if kind in (list, tuple, set, torch.Size):
        return kind(map(detached, answer))
    if kind is dict:
        return {key: detached(value) for key, value in answer.items()}
    if answer is None or isinstance(answer, (bool, int, float, str)):
        return answer
    raise TypeError(f"{kind} is no data")
