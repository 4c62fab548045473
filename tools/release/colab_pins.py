"""Write colab-constraints.txt from the list of packages that Google publishes: make colab-pins.

    python -m tools.release.colab_pins                   # clones the list
    python -m tools.release.colab_pins FOLDER            # a clone that is there already
    python -m tools.release.colab_pins --torch listed    # Colab's torch, not constraints.txt's

https://github.com/googlecolab/backend-info holds what `pip freeze` says on Colab, and its Python.
Kept are the packages that the course imports there, those that run its notebooks, and those whose
version decides what a picture looks like. The list may be a day or two ahead of Colab.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

from packaging.utils import canonicalize_name
from packaging.version import Version

from tools.release.colab_env import COLAB_PINS, TESTED_PINS, pins_of

SOURCE = "https://github.com/googlecolab/backend-info"
KEPT = (
    "anywidget",
    "ipykernel",
    "ipython",
    "ipywidgets",
    "jupyter_client",
    "matplotlib",
    "nbformat",
    "notebook",
    "numpy",
    "pandas",
    "psygnal",
    "safetensors",
    "seaborn",
    "torch",
    "tornado",
    "tqdm",
    "traitlets",
    "widgetsnbextension",
)
BROUGHT_BY_SETUP_CELL = {"anywidget", "psygnal"}
HEADER = """\
# What Google Colab's image holds, as far as the course touches it. `make colab-pins` writes this
# file, `make test-colab` builds .venv-colab from it. On Colab the course installs nothing but
# course_lib, anywidget and psygnal, these two only where Colab lacks them.
"""
STAND_IN = """\
# Colab has torch {listed}. The version that the other tests use stands in for it.
"""


class UnreadableList(Exception):
    """The published list does not have the form, or not the packages, that are expected."""


def listed_versions(freeze: str) -> dict[str, str]:
    """Versions by normalised name, without build labels such as `+cu128`.

    `freeze` has lines `name==version`, `name @ https://.../name-version-....whl`, and others,
    which name no version and are left out.
    """
    versions: dict[str, str] = {}
    for line in freeze.splitlines():
        if match := re.fullmatch(r"([\w.-]+)==(\S+)", line):
            name, version = match.groups()
        elif match := re.fullmatch(r"([\w.-]+) @ \S+/[\w.]+-([\w.%!+]+)-\S+\.whl(#\S*)?", line):
            name, version = match[1], unquote(match[2])
        else:
            continue
        versions[canonicalize_name(name)] = Version(version).public
    return versions


def constraints(versions: dict[str, str], picture_of: str, stand_in: str | None) -> str:
    """The text of colab-constraints.txt; `stand_in` is the torch to take, None for Colab's."""
    absent = [name for name in KEPT if canonicalize_name(name) not in versions]
    if lost := sorted(set(absent) - BROUGHT_BY_SETUP_CELL):
        raise UnreadableList(f"the list names no version of {', '.join(lost)}")
    lines = [f"# A picture of {picture_of}.\n"]
    lines += [f"# {name} is not there.\n" for name in absent]
    for name in KEPT:
        if name in absent:
            continue
        version = versions[canonicalize_name(name)]
        if name == "torch" and stand_in and stand_in != version:
            lines.append(STAND_IN.format(listed=version))
            version = stand_in
        lines.append(f"{name}=={version}\n")
    return HEADER + "".join(lines)


def picture_of(folder: Path) -> str:
    """Say of which Python, and of when, the list in this clone is."""
    match = re.search(r"^Python (\S+)", (folder / "os-info.txt").read_text(encoding="utf-8"), re.M)
    if match is None:
        raise UnreadableList("os-info.txt names no Python")
    commit = subprocess.run(
        ["git", "-C", folder, "log", "-1", "--format=%cs (backend-info, commit %h)"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return f"Colab's Python {match[1]} and packages on {commit.stdout.strip()}"


def write_constraints(folder: Path, target: Path, stand_in: str | None) -> None:
    """Write `target` from the clone in `folder`."""
    freeze = (folder / "pip-freeze.txt").read_text(encoding="utf-8")
    text = constraints(listed_versions(freeze), picture_of(folder), stand_in)
    target.write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, help="a clone of backend-info")
    parser.add_argument("--torch", choices=("tested", "listed"), default="tested")
    arguments = parser.parse_args()
    stand_in = pins_of(TESTED_PINS)["torch"] if arguments.torch == "tested" else None
    with tempfile.TemporaryDirectory(prefix="colab-pins-") as clone:
        try:
            if not arguments.folder:
                subprocess.run(["git", "clone", "-q", "--depth=1", SOURCE, clone], check=True)
            write_constraints(arguments.folder or Path(clone), COLAB_PINS, stand_in)
        except (OSError, UnreadableList, subprocess.CalledProcessError) as problem:
            print(f"colab-pins: {problem}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
