"""The test of a second input: x is left alone, and the memory is changed, cut, turned and repeated.

In cross-attention queries come from x, keys and values from the memory, and every query sees all
of it. A decoder layer does this behind the attention among the tokens of x.
"""

from dataclasses import replace

import torch

from course_checks.examine.forms import WrongOutput
from course_checks.examine.measuring import Probe, same_table
from course_checks.examine.report import (
    FAILED,
    IF_POSITIONS,
    WARNING,
    Finding,
    Path,
    influence,
    not_applicable,
    on_each_path,
)
from course_checks.examine.sharing import COPIES, KEYS, levels_off

TEST = "memory"
ROLES = ("queries_from_memory", "values_from_x", "keys_from_x")  # what the wrong input gives
OTHER_NUMBER = "it returns another number of outputs"
SHORT = 4  # tokens of a memory beside the tokens of x, which are more
TURNED = (
    "There are as many outputs as tokens of the second input, so the queries come from it, and "
    "keys and values from x. Where that is meant, turn the two round: pass "
    "lambda x, memory: layer(memory, x)."
)


def memory(probe: Probe, has_positions: bool) -> Finding:
    """Whether outputs read the memory, all of it and in any order, and share out its weights."""
    path, x = probe.paths[0], probe.draw()
    size, stopped = SHORT, _refusal(probe, x, SHORT)
    if stopped is not None:
        size, is_turned = probe.length, stopped == OTHER_NUMBER
        role = "queries_from_memory" if is_turned else _input_with_values(probe, x, path)
        text = (
            f"With {probe.length} tokens of x and {SHORT} of the memory the layer stops "
            f"({stopped}): keys and values have to come from one input, and masks have to fit it."
        )
        if role is not None:
            probe.tables[TEST, role] = torch.tensor(True)
        if role is not None or _refusal(probe, x[:, :SHORT], SHORT) is None:
            return Finding(TEST, FAILED, TURNED if is_turned else text)
    tables = on_each_path(probe, lambda p: probe.who_moves(lambda m: _output(probe, x, m, p), size))
    everything = torch.ones(probe.length, size, dtype=torch.bool)
    words = (
        "Each output depends on every token of the memory",
        "",
        "With x left alone, changing token {column} of the memory does not change output {row}.",
    )
    axes = ("output", "changed token of the memory")
    finding = influence(TEST, probe, tables, everything, everything, words, axes)
    if finding.status == FAILED:
        if not any(table.any() for table in tables.values()):
            return finding
        if probe.is_causal and probe.layer.memory is None:
            return not_applicable(TEST, "The layer is meant to be causal in it: see more keys.")
        if all(torch.equal(table, everything.tril()) for table in tables.values()):
            return finding
        text = f"{finding.words} Where the whole memory should be seen, that is a mistake."
        return replace(finding, status=WARNING, words=text)
    if any(_shares_out_keys(probe, size, path) for path in probe.paths):
        probe.tables[TEST, "softmax_axis"] = torch.tensor(True)
        text = "What all outputs together take from the memory does not depend on x: each token of "
        text += f"the memory shares itself out among the queries. {KEYS}"
        return replace(finding, status=FAILED, words=text)
    given, order = probe.draw(size), torch.arange(size).flip(0)
    if not has_positions and any(
        probe.differs(*(_output(probe, x, m, path) for m in (given, given[:, order]))).any()
        for path in probe.paths
    ):
        text = f"With the tokens of the memory in another order, outputs differ. {IF_POSITIONS}"
        return Finding(TEST, FAILED, text)
    if size == SHORT and probe.layer.memory is not None:
        return _copies(probe, x, finding)
    return replace(finding, words=f"{finding.words}, in any order.")


def _copies(probe: Probe, x: torch.Tensor, finding: Finding) -> Finding:
    """One token of the memory against several equal ones: their values are the same."""
    token = probe.draw(1)
    copies = [token.repeat(1, n, 1) for n in COPIES]
    for path in probe.paths:
        outputs = torch.stack([_output(probe, x, m, path)[:, -1] for m in copies])
        if not probe.differs(outputs[1:], outputs[:1]).any():
            continue
        text = "One token of the memory and several equal ones give different outputs. "
        if levels_off(probe, path, outputs):
            text += "They level off as more come: a part of the weight goes elsewhere, as to keys "
            text += "of x beside the memory's, or to a sink. Without one of these it is a mistake."
            return Finding(TEST, WARNING, text)
        text += "So the weights of a query do not sum to the same number. "
        return Finding(TEST, FAILED, text + KEYS)
    text = f"{finding.words}, in any order; several equal ones give what one of them does."
    return replace(finding, words=text)


def _output(probe: Probe, x: torch.Tensor, given: torch.Tensor, path: Path) -> torch.Tensor:
    return probe.output(x, path, **{"keys" if probe.layer.memory is None else TEST: given})


def _refusal(probe: Probe, x: torch.Tensor, size: int) -> str | None:
    """What the layer says when the memory has so many tokens; None where it takes them."""
    try:
        _output(probe, x, probe.draw(size), probe.paths[0])
    except WrongOutput:
        return OTHER_NUMBER  # as many as tokens of the memory: with as many of x it gave these
    except Exception as error:  # whatever somebody's layer raises
        return f"{type(error).__name__}: {error}"
    return None


def _input_with_values(probe: Probe, x: torch.Tensor, path: Path) -> str | None:
    """Which input gives the values: where all of these are equal, the rest moves no output."""
    own = probe.own

    def read(x, given):
        """Which other tokens of x are read, and which of the memory."""
        of_x = probe.who_moves(lambda other: _output(probe, other, given, path)) & ~own
        return of_x, probe.who_moves(lambda other: _output(probe, x, other, path))

    given = probe.draw(probe.length)
    of_x, of_memory = read(x, given)
    if not of_x.any() or not of_memory.any():
        return None
    if not read(x[:, :1].expand_as(x), given)[1].any():
        return "queries_from_memory" if same_table(of_memory, own) else "values_from_x"
    return None if read(x, given[:, :1].expand_as(given))[0].any() else "keys_from_x"


def _shares_out_keys(probe: Probe, size: int, path: Path) -> bool:
    """Whether all outputs together get the same from the memory, whatever x is.

    That is what a softmax over the queries does. What x gives its own outputs falls out of the
    difference that another memory makes; with equal tokens, a softmax over the keys knows no x.
    """
    first, second = (probe.draw(1).repeat(1, size, 1) for _ in range(2))
    by_x = [
        (_output(probe, x, first, path) - _output(probe, x, second, path)).double()
        for x in (probe.draw(), probe.draw())
    ]
    if not by_x[0].isfinite().all() or not probe.differs(*by_x).any():
        return False
    return not probe.differs(*(change.sum(dim=1) for change in by_x)).any()
