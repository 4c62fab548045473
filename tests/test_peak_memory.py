"""The most memory held at once, where it is known how much that is."""

import os

import pytest
import torch

from course_lib.peak_memory import peak_bytes

MIB = 2**20


def held_together():
    return torch.zeros(MIB // 4) + torch.zeros(MIB // 4)  # three tensors of 1 MiB at once


def one_after_the_other():
    for _ in range(5):
        torch.zeros(MIB)  # 4 MiB, and freed


@pytest.mark.parametrize("function, mib", [(held_together, 3), (one_after_the_other, 4)])
def test_what_is_held_at_once_counts(function, mib):
    assert peak_bytes(function) == pytest.approx(mib * MIB, rel=0.01)
    kept = torch.zeros(MIB)  # what was there before does not count
    assert peak_bytes(function) == pytest.approx(mib * MIB, rel=0.01)
    assert kept.numel() == MIB


def test_nothing_held():
    assert peak_bytes(lambda: None) == 0


def test_the_profiler_fills_no_cell(capfd):
    peak_bytes(lambda: torch.zeros(10))
    assert capfd.readouterr() == ("", "")
    os.write(2, b"still there")
    assert capfd.readouterr().err == "still there"
