"""The most memory held at once, where it is known how much that is."""

import os
import warnings

import pytest
import torch
from torch.profiler import profile

from course_lib.study import peak_memory
from course_lib.study.peak_memory import peak_bytes

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


def test_on_a_gpu_its_own_allocator_is_asked(monkeypatch):
    asked, told = [], {"is_available": True, "synchronize": None, "reset_peak_memory_stats": None}
    told |= {"memory_allocated": 100, "max_memory_allocated": 350}
    for name in told:
        monkeypatch.setattr(torch.cuda, name, lambda name=name: asked.append(name) or told[name])
    assert peak_bytes(lambda: asked.append("call")) == 250
    assert asked == ["call", *list(told)[:4], "call", "max_memory_allocated"]
    told["max_memory_allocated"] = 100  # all was on the CPU
    assert peak_bytes(held_together) == pytest.approx(3 * MIB, rel=0.01)


def test_the_profiler_fills_no_cell(capfd):
    assert peak_bytes(lambda: None) == 0
    assert capfd.readouterr() == ("", "")
    os.write(2, b"still there")
    assert capfd.readouterr().err == "still there"


@pytest.mark.filterwarnings("error")
def test_what_the_profiler_warns_of_fills_none_either(monkeypatch):
    class Warns(profile):  # as torch 2.11's does, once in each process
        def start(self):
            warnings.warn("Profiler clears events at the end of each cycle.", stacklevel=2)
            super().start()

    monkeypatch.setattr(peak_memory, "profile", Warns)
    assert peak_bytes(held_together) == pytest.approx(3 * MIB, rel=0.01)
    with pytest.raises(UserWarning, match="what is measured"):
        peak_bytes(lambda: warnings.warn("what is measured warns as ever", stacklevel=2))
