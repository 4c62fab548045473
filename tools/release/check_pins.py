"""Ask uv whether the pins in constraints.txt can be installed everywhere: make check-pins.

"Everywhere" is each Python that pyproject.toml names, on Linux x86-64, macOS arm64 and Windows. uv
resolves all that the course needs there, from wheels alone: a student has no compiler. "3.11"
stands for 3.11.0. Reported are a pin without a wheel, one that refuses this Python, one outside the
bounds of another package, and a package that is needed and has no pin.

It needs the package index, so it belongs before a release and not into `make test`.
"""

import os
import re
import subprocess
import sys
import tomllib
from itertools import product

from tools.notebooks.notebook_files import ROOT

CLASSIFIER = "Programming Language :: Python :: 3."
# glibc 2.28 is that of Debian 10 and RHEL 8; torch's wheels need it, and macOS 14.
PLATFORMS = ("x86_64-manylinux_2_28", "aarch64-apple-darwin", "windows")
UV = "uv pip compile pyproject.toml --all-extras --constraints constraints.txt --only-binary :all:"
QUIETLY = "--no-config --no-header --no-annotate --quiet"
# torch alone needs these and names their versions itself.
LEFT_TO_TORCH = re.compile(r"(triton|nvidia-.*|cuda-.*)==")


def gaps(python: str, platform: str) -> list[str]:
    """Return what is wrong with the pins for this Python on this platform."""
    done = subprocess.run(
        [*UV.split(), *QUIETLY.split(), "--python-version", python, "--python-platform", platform],
        cwd=ROOT,
        env=os.environ | {"MACOSX_DEPLOYMENT_TARGET": "14.0"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return done.stderr.splitlines()
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = {line.partition(";")[0].strip() for line in lines}
    return [
        f"{package} is needed and has no pin"
        for package in done.stdout.split()
        if package not in pins and not LEFT_TO_TORCH.match(package)
    ]


def main() -> int:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pythons = [text.split()[-1] for text in project["classifiers"] if text.startswith(CLASSIFIER)]
    failed = False
    for python, platform in product(pythons, PLATFORMS):
        wrong = gaps(python, platform)
        failed |= bool(wrong)
        print(f"Python {python}, {platform}: ", end="")
        print("\n    ".join(["", *wrong]) if wrong else "all pins are there")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
