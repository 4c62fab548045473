"""`make check-pins`, without the package index: what it asks pip, and what it finds."""

import json
import os
import subprocess
from types import SimpleNamespace

import pytest
from packaging.requirements import Requirement

from tools.notebooks.notebook_files import ROOT
from tools.release import check_pins
from tools.release.check_pins import PLATFORMS, Target, ask_pip, check, find_gaps, read_pins

LINUX, MAC, WINDOWS = (Target("3.11", platform) for platform in PLATFORMS)


def requirements(*texts):
    return [Requirement(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a", [LINUX, MAC, WINDOWS]),
        ('a; sys_platform == "win32"', [WINDOWS]),
        ('a; os_name == "nt"', [WINDOWS]),
        ('a; platform_system == "Darwin" and platform_machine == "arm64"', [MAC]),
        ('a; python_version < "3.12"', [LINUX, MAC, WINDOWS]),
        ('a; python_version >= "3.12"', []),
        ('a; extra == "test"', []),
    ],
)
def test_markers_are_read_for_the_target_and_not_for_this_machine(text, where):
    found = [one for one in (LINUX, MAC, WINDOWS) if one.needs(Requirement(text), set())]
    assert found == where
    assert LINUX.needs(Requirement('a; extra == "test"'), {"test"})


def test_what_has_no_pin_is_found_where_it_is_needed():
    roots = requirements("jupyter>=1")
    requires = {
        "jupyter": requirements("Shell_Tool[extra]>=2"),
        "shell-tool": requirements(
            'winpty; os_name == "nt"', 'for-extra; extra == "extra"', 'tests; extra == "test"'
        ),
    }
    pins = {"jupyter": "1.2", "shell-tool": "2.0"}
    missing = "shell-tool needs for-extra, which has no pin"
    windows = "shell-tool needs winpty, which has no pin"
    assert find_gaps(LINUX, roots, pins, requires) == [missing]
    assert set(find_gaps(WINDOWS, roots, pins, requires)) == {missing, windows}
    assert find_gaps(WINDOWS, roots, pins | {"winpty": "3", "for-extra": "1"}, requires) == []


def test_a_pin_outside_the_bounds_of_another_package_is_found():
    requires = {"torch": requirements("sympy>=1.13", 'triton==3; platform_system == "Linux"')}
    roots, pins = requirements("torch"), {"torch": "2.13", "sympy": "1.12"}
    assert find_gaps(LINUX, roots, pins, requires) == ["torch needs sympy>=1.13, the pin is 1.12"]
    assert find_gaps(LINUX, roots, pins | {"sympy": "1.14"}, requires) == []


@pytest.fixture
def index(monkeypatch):
    """A pip that knows these packages, name to requires_dist, and notes how it is called."""
    packages, calls = {}, []

    def run(command, env, **_):
        calls.append(SimpleNamespace(command=command, env=env))
        wanted = [part for part in command if "==" in part]
        for pin in wanted:
            if pin.partition("==")[0] not in packages:
                error = f"ERROR: No matching distribution found for {pin}\n"
                return subprocess.CompletedProcess(command, 1, "", error)
        report = command[command.index("--report") + 1]
        install = [
            {"metadata": {"name": name, "requires_dist": packages[name]}}
            for name in (pin.partition("==")[0] for pin in wanted)
        ]
        with open(report, "w") as file:
            json.dump({"install": install}, file)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(check_pins.subprocess, "run", run)
    monkeypatch.setenv("PIP_FIND_LINKS", "/somewhere")
    monkeypatch.setenv("PIP_INDEX_URL", "https://mirror.example/simple")
    return SimpleNamespace(packages=packages, calls=calls)


def test_every_pin_without_a_wheel_is_named(index):
    index.packages |= {"b": ["c>=1"], "d": []}
    missing, requires = ask_pip(Target("3.14", "Windows"), ["a==1", "b==2", "c==3", "d==4"])
    assert missing == ["a==1", "c==3"]
    assert requires == {"b": requirements("c>=1"), "d": []}
    command = index.calls[0].command
    for part in ("--dry-run", "--only-binary=:all:", "--no-deps", "--platform=win_amd64", "3.14"):
        assert part in command


def test_pip_is_asked_about_the_index_and_not_about_this_disk(index):
    ask_pip(LINUX, [])
    (call,) = index.calls
    assert "PIP_FIND_LINKS" not in call.env
    assert call.env["PIP_CONFIG_FILE"] == os.devnull
    assert call.env["PIP_INDEX_URL"] == "https://mirror.example/simple"
    assert "--platform=manylinux_2_28_x86_64" in call.command
    assert "--platform=manylinux_2_17_x86_64" in call.command


def test_another_failure_of_pip_is_no_answer(monkeypatch):
    failure = subprocess.CompletedProcess([], 2, "", "no such option: --report")
    monkeypatch.setattr(check_pins.subprocess, "run", lambda *_, **__: failure)
    with pytest.raises(RuntimeError, match="no such option"):
        ask_pip(LINUX, ["a==1"])


def test_a_pin_for_one_platform_is_asked_for_there_alone(index):
    index.packages |= {"shell": ['winpty>=3; os_name == "nt"'], "winpty": []}
    pins = requirements("shell==1", 'winpty==2; sys_platform == "win32"')
    roots = requirements("shell")
    assert check(LINUX, roots, pins) == []
    assert "winpty==2" not in index.calls[-1].command
    assert check(WINDOWS, roots, pins) == ["shell needs winpty>=3, the pin is 2"]
    del index.packages["winpty"]
    assert "winpty==2 has no wheel" in check(WINDOWS, roots, pins)


def test_the_pins_of_the_course_can_be_read():
    pins = read_pins(ROOT / "constraints.txt")
    assert len({pin.name for pin in pins}) == len(pins) > 100
    assert all(str(pin.specifier).startswith("==") for pin in pins)
