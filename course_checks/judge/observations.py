"""Sentences with the numbers of this very run, for ``Mistake(evidence=...)``."""

from collections.abc import Callable

from torch import float64

from course_checks.judge.feedback import number


def row_sum(part: str = "weights") -> Callable[[tuple, dict, dict], str]:
    """The sum of the row that is furthest from 1."""

    def sentence(args: tuple, expected: dict, got: dict) -> str:
        sums = got[part].to(float64).sum(dim=-1).reshape(-1)
        furthest = float(sums[(sums - 1).abs().argmax()])
        return f"Here one row of your {part} sums to {number(furthest)}; it should sum to 1."

    return sentence


def column_sums(part: str = "weights") -> Callable[[tuple, dict, dict], str]:
    """Where the softmax ran over the wrong axis: which sums are 1."""

    def sentence(args: tuple, expected: dict, got: dict) -> str:
        first = number(float(got[part].to(float64).sum(dim=-1).reshape(-1)[0]))
        return f"Here your first row sums to {first}, while each of your columns sums to 1."

    return sentence


def largest(part: str) -> Callable[[tuple, dict, dict], str]:
    """The largest entry, got and expected."""

    def sentence(args: tuple, expected: dict, got: dict) -> str:
        mine, right = (float(answer[part].to(float64).max()) for answer in (got, expected))
        return (
            f"Here the largest entry of your {part} is {number(mine)} instead of {number(right)}."
        )

    return sentence


def ratio(part: str) -> Callable[[tuple, dict, dict], str]:
    """By which factor the largest entry is off."""

    def sentence(args: tuple, expected: dict, got: dict) -> str:
        right = expected[part].to(float64).reshape(-1)
        index = right.abs().argmax()
        factor = float(got[part].to(float64).reshape(-1)[index] / right[index])
        return f"Here each entry of your {part} is {number(factor)} times what it should be."

    return sentence


def total(part: str = "weights") -> Callable[[tuple, dict, dict], str]:
    """The sum of all entries and the number of rows."""

    def sentence(args: tuple, expected: dict, got: dict) -> str:
        whole, rows = got[part].to(float64).sum(), expected[part].to(float64).sum()
        return f"Here all your {part} together sum to {number(float(whole))} instead of {rows:.0f}."

    return sentence
