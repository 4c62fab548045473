"""Run the lessons and solutions on the packages that Google Colab has.

    python -m tools.release.colab_env                # what `make test-colab` does
    python -m tools.release.colab_env --few          # four lessons and one solution
    python -m tools.release.colab_env --build-only   # only build .venv-colab
    python -m tools.release.colab_env -- -x -v       # arguments after -- go to pytest

1. `.venv-colab` is built from colab-constraints.txt, plus pytest, xdist and nbval. It is built anew
   when a file that it depends on has changed, or an earlier build did not finish.
2. The notebooks' set-up cell runs in a kernel that takes itself for Colab's, and so installs
   `course_lib` from a git address at a branch. The repository behind that address is a temporary
   one that holds this checkout as it is now: in a clean clone that is HEAD, elsewhere HEAD and your
   edits. Besides it, anywidget and what it needs come where Colab lacks them; no package that was
   there may change.
3. Kernels must import that installed `course_lib`, not the checkout's, and anywidget.
4. nbval runs every notebook in notebooks/ and solutions/ in strict mode, and pytest the tests of
   the widgets, with Colab's ipywidgets. With `--few`, four lessons stand for all: with widgets,
   drawings, training and the kernels of torch. One solution stands for the checks, and the explorer
   for the widgets.

The exit code is pytest's. An environment that is not what Colab has stops with exit code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from packaging.utils import canonicalize_name

from tools.notebooks.notebook_files import EXECUTED_FOLDERS, ROOT, find_notebooks
from tools.site.stamp_links import Project, colab_branch

COLAB_PINS = ROOT / "colab-constraints.txt"
TESTED_PINS = ROOT / "constraints.txt"
FEW_LESSONS = ("01_soft_lookup", "02_single_head", "05_causal_masking", "12_fast_attention")
# Not on Colab, but nothing can be tested without them.
TEST_RUNNERS = ("pytest", "pytest-xdist", "nbval")
# An older pip, as Python 3.11 brings along, refuses "course_lib @ git+file://...".
PIP = "pip>=24.1"
TAG = "test"
# Run in the environment: starts a kernel in a folder and runs code in it.
RUN_IN_KERNEL = """
import subprocess, sys
from jupyter_client.manager import start_new_kernel

folder, code = sys.argv[1:]
manager, client = start_new_kernel(
    kernel_name="python3", cwd=folder, stderr=subprocess.DEVNULL
)
try:
    reply = client.execute_interactive(code, timeout=120)
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    del client
sys.exit(reply["content"]["status"] != "ok")
"""
# What the set-up cell brings where Colab lacks it.
INSTALLED_BY_SETUP = {"anywidget", "course-lib", "psygnal", "gguf", "tokenizers"}
# Code for that kernel.
PRETEND_COLAB = """
import sys, types
sys.modules["google.colab"] = types.ModuleType("google.colab")
"""
PROBE = """
import importlib.util, json, sys
import course_lib
print(json.dumps({
    "course_lib": course_lib.__file__,
    "prefix": sys.prefix,
    "anywidget": importlib.util.find_spec("anywidget") is not None,
}))
"""


class EnvironmentProblem(Exception):
    """The environment is not what a student has on Colab."""


def pins_of(path: Path) -> dict[str, str]:
    """The `name==version` lines of a requirements file, by normalised name."""
    pins: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if match := re.match(r"([A-Za-z0-9._-]+)\s*==\s*([^\s;#]+)", line):
            pins[canonicalize_name(match[1])] = match[2]
    return pins


def clean_environment() -> dict[str, str]:
    """The caller's variables without those that put other packages before the environment's."""
    hidden = {"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV", "JUPYTER_PATH"}
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    # The last one silences a warning of the debugger that ipykernel imports.
    return env | {"PYTHONNOUSERSITE": "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}


def output_of(*command: str | Path, **variables: str) -> str:
    """What `command` prints; its messages go to the terminal, its failure is an error here."""
    done = subprocess.run(
        [str(part) for part in command],
        env=clean_environment() | variables,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        shown = textwrap.shorten(" ".join(str(part) for part in command), width=200)
        raise EnvironmentProblem(f"exit code {done.returncode} from: {shown}")
    return done.stdout


def build(venv: Path) -> Path:
    """Make `venv` hold Colab's packages, and return its Python.

    The stamp is written last, so an interrupted build is thrown away by the next one.
    """
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = venv / "built-from"
    files = ROOT / "pyproject.toml", TESTED_PINS, COLAB_PINS, Path(__file__)
    wanted = "\n".join([sys.version, *(path.read_text("utf-8") for path in files)])
    if stamp.is_file() and stamp.read_text("utf-8") == wanted:
        return python

    print(f"Building {venv.name} with Colab's packages. This takes a minute or two.", flush=True)
    if venv.exists():
        shutil.rmtree(venv)
    output_of(sys.executable, "-m", "venv", venv)
    tested = pins_of(TESTED_PINS)
    runners = [f"{name}=={tested[name]}" for name in TEST_RUNNERS]
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    output_of(*pip, "--upgrade", PIP)
    output_of(*pip, "--no-compile", "-r", COLAB_PINS, *runners)
    stamp.write_text(wanted, encoding="utf-8")
    return python


def installed_packages(python: Path) -> dict[str, str]:
    """Every package of the environment and its version, by normalised name."""
    listed = json.loads(
        output_of(python, "-m", "pip", "list", "--format=json", "--disable-pip-version-check")
    )
    return {canonicalize_name(package["name"]): package["version"] for package in listed}


def check_pins(installed: dict[str, str], pins: dict[str, str]) -> None:
    """Fail when a package is not at its pin. A build label such as `+cpu` makes no difference."""
    wrong = [
        f"{name}: {installed.get(name, 'missing')} instead of {version}"
        for name, version in pins.items()
        if installed.get(name, "").partition("+")[0] != version
    ]
    if wrong:
        raise EnvironmentProblem("not Colab's versions:\n  " + "\n  ".join(wrong))


def commit_checkout(folder: Path) -> None:
    """Make `folder` a git repository of the checkout as it is now: one commit and TAG's branch."""
    listed = output_of(
        "git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"
    )
    for name in filter(None, listed.split("\0")):
        source, target = ROOT / name, folder / name
        if source.is_file():  # a file that was deleted but not yet committed is still listed
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    git = ("git", "-C", folder, "-c", "user.name=course", "-c", "user.email=course@localhost")
    output_of(*git, "-c", "init.defaultBranch=main", "init", "--quiet")
    output_of(*git, "add", "--all")
    output_of(*git, "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", "The checkout")
    output_of(*git, "branch", colab_branch(TAG))


def run_in_kernel(python: Path, venv: Path, folder: str, code: str) -> None:
    """Run `code` in a fresh kernel started in `folder`, then look at what that kernel imports."""
    with tempfile.TemporaryDirectory(prefix="colab-kernel-") as jupyter_files:
        # No kernel that this user or this machine has registered may answer to `python3`.
        printed = output_of(
            python, "-c", RUN_IN_KERNEL, ROOT / folder, code + PROBE, JUPYTER_DATA_DIR=jupyter_files
        )
    seen = json.loads(printed.strip().splitlines()[-1])
    if Path(seen["prefix"]).resolve() != venv.resolve():
        raise EnvironmentProblem(f"the kernel runs in {seen['prefix']}, not in {venv}")
    if not Path(seen["course_lib"]).resolve().is_relative_to(venv.resolve()):
        raise EnvironmentProblem(
            f"a kernel in {folder}/ imports {seen['course_lib']}, not the installed course_lib"
        )
    if not seen["anywidget"]:
        raise EnvironmentProblem("a kernel cannot import anywidget, which the set-up cell asks for")


def install_course(python: Path, venv: Path, address: str) -> None:
    """Let the set-up cell install `course_lib`, and fail if it changes anything that was there."""
    expected = INSTALLED_BY_SETUP - pins_of(COLAB_PINS).keys()
    before = installed_packages(python)
    if stale := sorted(expected & before.keys()):
        output_of(python, "-m", "pip", "uninstall", "--quiet", "--yes", *stale)
        before = installed_packages(python)
    setup_cell = Project(ROOT, address, TAG).setup_cell(real_model=True)
    run_in_kernel(python, venv, EXECUTED_FOLDERS[0], PRETEND_COLAB + setup_cell)
    after = installed_packages(python)
    if missing := expected - after.keys():
        raise EnvironmentProblem(f"the set-up cell did not install {sorted(missing)}")
    # What the picture lacks may come with course_lib; what is there must stay as it is.
    changed = {
        name: (version, after.get(name))
        for name, version in before.items()
        if after.get(name) != version
    }
    if changed:
        raise EnvironmentProblem(f"the set-up cell changed other packages: {changed}")


def files_to_run(few: bool) -> list[str]:
    """Lessons, solutions and the tests of the widgets, or fewer of them."""
    lessons, solutions = (find_notebooks(ROOT, (folder,)) for folder in EXECUTED_FOLDERS)
    if few:
        # By their names: where one is gone, pytest says so.
        lessons = [ROOT / "notebooks" / f"{name}.ipynb" for name in FEW_LESSONS]
        solutions = solutions[:1]
    widget_tests = sorted((ROOT / "tests" / "widgets").glob(f"test_*{'explorer' * few}.py"))
    if not (lessons and solutions):
        raise EnvironmentProblem(f"no notebooks in {' or '.join(EXECUTED_FOLDERS)} to run")
    paths = lessons + solutions + widget_tests
    return [path.relative_to(ROOT).as_posix() for path in paths]


def run_pytest(python: Path, files: list[str], pytest_arguments: list[str]) -> int:
    """Run nbval over notebooks and pytest over tests; return pytest's exit code."""
    command = [str(python), "-P", "-m", "pytest", "-p", "no:cacheprovider", "-q"]
    command += ["-n", str(min(os.cpu_count() or 1, 4))]
    command += files + pytest_arguments
    done = subprocess.run(command, cwd=ROOT, env=clean_environment(), check=False)
    print(f"\nColab's packages: {len(files)} files, pytest exit code {done.returncode}.")
    return done.returncode


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--few", action="store_true", help="four lessons and one solution")
    parser.add_argument("--build-only", action="store_true", help="build .venv-colab and stop")
    parser.add_argument("pytest_arguments", nargs="*", help="given to pytest, after --")
    arguments = parser.parse_args()
    venv = ROOT / ".venv-colab"
    try:
        python = build(venv)
        check_pins(installed_packages(python), pins_of(COLAB_PINS))
        if arguments.build_only:
            return 0
        with tempfile.TemporaryDirectory(prefix="colab-course-") as folder:
            commit_checkout(Path(folder))
            install_course(python, venv, Path(folder).as_uri())
        for folder in EXECUTED_FOLDERS:
            run_in_kernel(python, venv, folder, "")
        return run_pytest(python, files_to_run(arguments.few), arguments.pytest_arguments)
    except EnvironmentProblem as problem:
        print(f"test-colab: {problem}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
