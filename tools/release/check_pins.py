"""Ask pip whether the pins in constraints.txt can be installed everywhere: make check-pins.

"Everywhere" is each Python that pyproject.toml names, on Linux x86-64, macOS arm64 and Windows.
pip installs nothing (`--dry-run`) and is asked for wheels only: a student has no compiler. It
asks the package index, not the wheels that may lie on this machine's disk. Reported are

- a pin without a wheel, or that refuses this Python. "3.11" stands for 3.11.0 here, so that a pin
  which needs a later patch release is found too;
- a pin outside the bounds of another package, and a package that is needed and has no pin. pip
  itself cannot say so for another platform: it reads the markers of the one that it runs on.

It needs the index and takes minutes, so it belongs before a release and not into `make test`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.notebooks.notebook_files import ROOT

CLASSIFIER = "Programming Language :: Python :: 3."
# glibc 2.28 is that of Debian 10 and RHEL 8; torch's wheels need it, and macOS 14.
LINUX = [*(f"manylinux_2_{minor}_x86_64" for minor in range(28, 4, -1)), "manylinux2014_x86_64"]
PLATFORMS = {
    "Linux x86-64": (LINUX, ("posix", "linux", "Linux", "x86_64")),
    "macOS arm64": (["macosx_14_0_arm64"], ("posix", "darwin", "Darwin", "arm64")),
    "Windows": (["win_amd64"], ("nt", "win32", "Windows", "AMD64")),
}
MARKERS = ("os_name", "sys_platform", "platform_system", "platform_machine")
# Wheels from here would hide what the index lacks.
NOT_THE_INDEX = {"PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_CONSTRAINT", "PIP_NO_INDEX"}
NO_WHEEL = re.compile(r"No matching distribution found for ([^\s;]+)")
# torch alone needs these and names their versions itself.
LEFT_TO_TORCH = re.compile(r"triton|nvidia-.*|cuda-.*")


@dataclass(frozen=True)
class Target:
    """A Python on a platform."""

    python: str  # "3.11"
    platform: str  # a key of PLATFORMS

    def __str__(self) -> str:
        return f"Python {self.python}, {self.platform}"

    @property
    def tags(self) -> list[str]:
        """The platform tags of wheels that fit."""
        return PLATFORMS[self.platform][0]

    def needs(self, requirement: Requirement, extras: set[str]) -> bool:
        """Whether the marker of a requirement, asked for with these extras, is true here."""
        here = dict(zip(MARKERS, PLATFORMS[self.platform][1], strict=True))
        here |= {"python_version": self.python, "python_full_version": f"{self.python}.0"}
        marker = requirement.marker
        return marker is None or any(
            marker.evaluate(here | {"extra": extra}) for extra in extras or {""}
        )


def read_pins(path: Path) -> list[Requirement]:
    """The lines of constraints.txt."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def ask_pip(target: Target, pins: list[str]) -> tuple[list[str], dict[str, list[Requirement]]]:
    """Return the pins without a wheel, and what each of the others requires, by its name."""
    environment = {name: value for name, value in os.environ.items() if name not in NOT_THE_INDEX}
    missing: list[str] = []
    with tempfile.TemporaryDirectory(prefix="check-pins-") as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--quiet"]
        command += ["--ignore-installed", "--only-binary=:all:", "--target", f"{folder}/nowhere"]
        command += ["--report", str(report), "--implementation", "cp"]
        command += ["--python-version", target.python]
        command += [f"--platform={tag}" for tag in target.tags]
        while True:
            done = subprocess.run(
                command + [pin for pin in pins if pin not in missing],
                env=environment | {"PIP_CONFIG_FILE": os.devnull},
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode == 0:
                break
            found = NO_WHEEL.search(done.stderr)  # pip stops at the first
            if not found or found[1] in missing or found[1] not in pins:
                raise RuntimeError(f"pip failed for {target}:\n{done.stderr}")
            missing.append(found[1])
        packages = [one["metadata"] for one in json.loads(report.read_text())["install"]]
    return missing, {
        canonicalize_name(one["name"]): [Requirement(text) for text in one.get("requires_dist", [])]
        for one in packages
    }


def find_gaps(
    target: Target,
    roots: list[Requirement],
    pins: dict[str, str],
    requires: dict[str, list[Requirement]],
) -> list[str]:
    """Follow what the course needs on this target; say where a pin lacks or does not fit."""
    gaps: dict[str, None] = {}  # an ordered set
    seen = set()
    todo = [("the course", one) for one in roots]
    while todo:
        asking, wanted = todo.pop()
        name = canonicalize_name(wanted.name)
        if (asking, str(wanted)) in seen or LEFT_TO_TORCH.fullmatch(name):
            continue
        seen.add((asking, str(wanted)))
        if name not in pins:
            gaps[f"{asking} needs {wanted.name}, which has no pin"] = None
        elif not wanted.specifier.contains(pins[name], prereleases=True):
            gaps[f"{asking} needs {wanted.name}{wanted.specifier}, the pin is {pins[name]}"] = None
        todo += [(name, one) for one in requires.get(name, []) if target.needs(one, wanted.extras)]
    return list(gaps)


def check(target: Target, roots: list[Requirement], pins: list[Requirement]) -> list[str]:
    """Return a line for each thing that is wrong with the pins on this target."""
    versions: dict[str, str] = {
        canonicalize_name(pin.name): str(pin.specifier).removeprefix("==")
        for pin in pins
        if target.needs(pin, set())
    }
    names = [f"{name}=={version}" for name, version in versions.items()]
    missing, requires = ask_pip(target, names)
    gaps = [f"{pin} has no wheel" for pin in missing]
    return gaps + find_gaps(target, roots, versions, requires)


def main() -> int:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pythons = [
        one.rpartition(" ")[2] for one in project["classifiers"] if one.startswith(CLASSIFIER)
    ]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--python", nargs="*", default=pythons, help="default: " + " ".join(pythons)
    )
    arguments = parser.parse_args()
    extras = project["optional-dependencies"].values()
    roots = [Requirement(one) for one in sum(extras, project["dependencies"])]
    pins = read_pins(ROOT / "constraints.txt")
    targets = [Target(python, platform) for python in arguments.python for platform in PLATFORMS]
    bad = 0
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        for target, gaps in zip(
            targets, workers.map(lambda one: check(one, roots, pins), targets), strict=True
        ):
            print(f"{target}: " + ("\n    ".join(["", *gaps]) if gaps else "all pins are there"))
            bad += len(gaps)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
