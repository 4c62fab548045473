"""Small is not none: a second look where tokens seem to move no output but their own."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from course_checks.examine.calling import modules_of, parameters_in
from course_checks.examine.measuring import Probe
from course_checks.examine.report import PASSED, WARNING, Finding

NONE = 1e-12  # a share of the largest output that is rounding in float64 too
TEST = "small shares"


@contextmanager
def looked_at_closely(probe: Probe) -> Iterator[Finding | None]:
    """Let the tests run in float64, with a tolerance to match, where that shows what is small.

    Where a share is none even then, parameters that are all zero, such as a gate at its start, get
    random numbers for the while. A finding says what was done; None where nothing had to be.
    """
    before = (probe.dtype, probe.tolerance)
    hidden = [share <= probe.tolerance for share in _shares(probe)]
    tensors = [
        tensor
        for module in modules_of(probe.layer.layer)
        for tensor in (*module.parameters(), *module.buffers())
        if tensor.is_floating_point()
    ]
    kept = [tensor.data for tensor in tensors]
    finding = None
    try:
        if any(hidden) and not probe.is_coarse:
            finding = _measure_in_float64(probe, hidden, tensors)
        if finding is None:
            _put_back(probe, tensors, kept, before)
        yield finding
    finally:
        _put_back(probe, tensors, kept, before)


def _put_back(probe: Probe, tensors: list, kept: list, before: tuple) -> None:
    probe.dtype, probe.tolerance = before
    memory = probe.layer.memory
    probe.layer.memory = None if memory is None else memory.to(probe.dtype)
    for tensor, data in zip(tensors, kept, strict=True):
        tensor.data = data


def _measure_in_float64(probe: Probe, hidden: list[bool], tensors: list) -> Finding | None:
    """Measure again in float64; None where still nothing is seen, or it cannot be done."""
    tolerance, path, memory = probe.tolerance, probe.paths[0], probe.layer.memory
    zeros = {name: p for name, p in parameters_in(probe.layer.layer).items() if not p.any()}
    try:
        for tensor in tensors:
            tensor.data = tensor.data.double()
        probe.dtype, probe.layer.memory = torch.float64, None if memory is None else memory.double()
        shares = _hidden_shares(probe, hidden)
        text, status = "", PASSED
        is_constant = not probe.differs(*(probe.output(probe.draw(), path) for _ in "ab")).any()
        if not shares and zeros and not is_constant:
            for parameter in zeros.values():
                numbers = torch.rand(parameter.shape, generator=probe.generator) * 0.1 + 0.1
                parameter.data = numbers.to(parameter)
            shares = _hidden_shares(probe, hidden)
            status = WARNING
            text = (
                f"While {', '.join(zeros)} are all zero, an output depends on no token but its "
                "own; the tests ran with random numbers there. A gate or a map that starts at "
                "zero is learnt; anything else is a mistake. "
            )
    except Exception:  # whatever somebody's layer raises, as its own float32 tensors, or a device
        return None
    if not shares:
        return None
    if min(shares) <= tolerance:
        probe.tolerance = min(shares) * 1e-4
        text += (
            f"Other tokens move an output by {min(shares):.1g} of its size at most, which counts "
            f"as rounding in {tolerance:g}: the tests ran in float64, with a tolerance of "
            f"{probe.tolerance:.1g}."
        )
    return Finding(TEST, status, text.strip())


def _hidden_shares(probe: Probe, hidden: list[bool]) -> list[float]:
    """The shares that were hidden and are there."""
    shares = zip(_shares(probe), hidden, strict=True)
    return [share for share, was_hidden in shares if was_hidden and share > NONE]


def _shares(probe: Probe) -> list[float]:
    """How far other tokens move an output at most, and how far a memory does."""
    path, own = probe.paths[0], probe.own
    of_others = probe.changes(lambda x: probe.output(x, path)).masked_fill(own, 0)
    tables = [of_others]
    if probe.layer.num_inputs == 2:
        x = probe.draw()
        tables.append(probe.changes(lambda memory: probe.output(x, path, memory=memory)))
    return [table.nan_to_num(0, posinf=1.0).max().item() for table in tables]
