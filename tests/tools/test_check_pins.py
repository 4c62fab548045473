"""`make check-pins`, without the package index: what it makes of uv's answers."""

import os

import pytest

from tools.notebooks.notebook_files import ROOT
from tools.release import check_pins

PINS = [
    line.partition(";")[0].strip()
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.fixture
def uv(monkeypatch, tmp_path):
    """Return a function that says what uv prints, and to where; it notes how it is called."""

    def answers(*lines, status=0):
        stream = 2 if status else 1
        script = f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\ncat {tmp_path}/says >&{stream}\n'
        (tmp_path / "says").write_text("\n".join(lines))
        (tmp_path / "uv").write_text(script + f"exit {status}\n")
        (tmp_path / "uv").chmod(0o755)
        return tmp_path / "calls"

    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return answers


def test_every_python_is_asked_for_on_every_platform(uv, capsys):
    calls = uv(*PINS, "nvidia-cublas==13.1", "triton==3.7")
    assert check_pins.main() == 0
    asked = [line.split() for line in calls.read_text().splitlines()]
    assert len(asked) == 12
    assert all("--only-binary :all:" in " ".join(words) for words in asked)
    assert {(words[-3], words[-1]) for words in asked} >= {("3.11", "windows")}
    assert capsys.readouterr().out.count("all pins are there\n") == 12


def test_a_package_without_a_pin_is_named(uv):
    uv(*PINS, "winpty==3.1")
    assert check_pins.gaps("3.11", "windows") == ["winpty==3.1 is needed and has no pin"]
