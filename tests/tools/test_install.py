"""tools/release/install.sh, which `make` calls: which Python it takes, what it says on failing."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from tools.notebooks.notebook_files import ROOT

# A Python of some version. The venv that it makes holds a pip that does what it is told to.
FAKE_PYTHON = """\
#!/bin/sh
case "$*" in
*version_info*"%d.%d"*) echo {short} ;;
*version_info*) exec "$REAL_PYTHON" -c "import sys; sys.version_info = {version}; $2" ;;
*ensurepip*) exit {no_venv} ;;
*"-m venv"*)
    echo "$0 -m venv" >> "$CALLS"
    mkdir -p "$3/bin"
    cp "$FAKE_VENV_PYTHON" "$3/bin/python" ;;
esac
"""
FAKE_VENV_PYTHON = """\
#!/bin/sh
case "$*" in
--version) echo "Python of the venv" ;;
*"-m pip install"*)
    echo "pip $*" >> "$CALLS"
    echo "Downloading torch"
    [ -z "$PIP_SAYS" ] || { echo "$PIP_SAYS" >&2; exit 1; } ;;
esac
"""
FAKE_UV = """\
#!/bin/sh
echo "uv $*" >> "$CALLS"
[ -z "$UV_SAYS" ] || { echo "$UV_SAYS" >&2; exit 2; }
for folder; do :; done
mkdir -p "$folder/bin"
cp "$FAKE_VENV_PYTHON" "$folder/bin/python"
"""


class Machine:
    """A computer that has only the commands that a test gives it."""

    def __init__(self, folder):
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        for name in ("sh", "mkdir", "cp", "df"):
            found = next(p for p in ("/bin", "/usr/bin") if os.path.exists(f"{p}/{name}"))
            (self.bin / name).symlink_to(f"{found}/{name}")
        self.command("venv-python", FAKE_VENV_PYTHON)

    def command(self, name, text):
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)

    def python(self, name, version, has_venv=True):
        short, no_venv = "{}.{}".format(*version), int(not has_venv)
        self.command(name, FAKE_PYTHON.format(version=version, short=short, no_venv=no_venv))

    def run(self, command, **variables):
        """Run a command here; return what came of it, and what it had called."""
        calls = self.folder / "calls"
        calls.write_text("")
        known = {"PATH": str(self.bin), "REAL_PYTHON": sys.executable, "CALLS": str(calls)}
        known |= {"FAKE_VENV_PYTHON": str(self.bin / "venv-python"), "TMPDIR": str(self.folder)}
        done = subprocess.run(
            command, cwd=self.folder, env=known | variables, capture_output=True, text=True
        )
        return done, calls.read_text().splitlines()

    def install(self, *candidates, **variables):
        script = ROOT / "tools" / "release" / "install.sh"
        return self.run(["sh", script, ".venv", "lab,real", *candidates], **variables)


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_the_first_suitable_python_is_taken_and_the_pins_are_kept(machine):
    machine.python("python3", (3, 10, 12))
    machine.python("python3.12", (3, 12, 1))
    machine.python("python3.13", (3, 13, 0))
    done, (venv, pip) = machine.install("python3", "python3.12", "python3.13", "uv")
    assert done.returncode == 0
    assert venv == f"{machine.bin}/python3.12 -m venv"
    assert pip.endswith("-c constraints.txt -e .[lab,real]")
    assert "--quiet" not in pip
    assert "Downloading torch" in done.stdout  # pip's progress is seen
    assert "PyTorch is large" in done.stdout
    assert done.stderr == ""


SUITABLE = [(3, 11, 0), (3, 12, 3), (3, 13, 9), (3, 14, 0), (3, 14, 2)]
UNSUITABLE = [(2, 7, 18), (3, 10, 14), (3, 14, 1), (3, 15, 0)]  # networkx refuses 3.14.1


@pytest.mark.parametrize("version", SUITABLE + UNSUITABLE)
def test_suitable_versions(machine, version):
    machine.python("python3", version)
    done, calls = machine.install("python3")
    assert (done.returncode == 0) is bool(calls) is (version in SUITABLE)


OLD, WITHOUT_VENV = (3, 9, 2), (3, 12, 3, "as Debian's without its package")
FROM_UV = "uv venv --quiet --seed --allow-existing --python >=3.11,!=3.14.1,<3.15 .venv"
NO_NETWORK = "error: Request failed\n  cause: dns error"
# The Pythons that are there, which are asked for, what uv says if it is there; what makes the venv,
# and what is said where nothing does.
WAYS = [
    ({"python3": OLD}, "python3 python3.11 uv", None, "", "3.11, 3.12, 3.13 or 3.14"),
    ({"python3": OLD}, "python3 python3.11 uv", None, "", "make PYTHON="),
    ({"python3": OLD}, "python3 python3.11 uv", "", FROM_UV, ""),
    ({"python3": OLD, "python3.11": (3, 11, 2)}, "python3 python3.11 uv", "", "python3.11", ""),
    ({}, "uv", NO_NETWORK, "", "dns error"),
    ({}, "uv", NO_NETWORK, "", "could not be reached"),
    ({"mine": OLD}, "mine", "", "", "make PYTHON="),  # which was named: uv does not replace it
    ({"python3": WITHOUT_VENV}, "python3 uv", None, "", "sudo apt install python3.12-venv"),
    (
        {"python3": WITHOUT_VENV, "python3.13": (3, 13, 1)},
        *("python3 python3.13 uv", None, "python3.13", ""),
    ),
    ({"python3": WITHOUT_VENV}, "python3 uv", "", FROM_UV, ""),
]


@pytest.mark.parametrize(("pythons", "candidates", "uv_says", "maker", "said"), WAYS)
def test_another_python_or_uv_or_what_to_do(machine, pythons, candidates, uv_says, maker, said):
    for name, version in pythons.items():
        machine.python(name, version[:3], has_venv=version != WITHOUT_VENV)
    if uv_says is not None:
        machine.command("uv", FAKE_UV)
    done, calls = machine.install(*candidates.split(), UV_SAYS=uv_says or "")
    made = [call.removeprefix(f"{machine.bin}/").removesuffix(" -m venv") for call in calls]
    if maker:
        assert done.returncode == 0
        assert made[0] == maker and made[1].endswith("-e .[lab,real]")
    else:
        assert done.returncode == 1 and said in done.stderr
        assert not [call for call in made if not call.startswith("uv")]


@pytest.mark.parametrize(
    ("message", "advice"),
    [
        ("[Errno 28] No space left on device", ["disk is full", "TMPDIR", "now:", "Filesystem"]),
        (
            "Retrying: Failed to establish a new connection\nERROR: No matching distribution",
            ["could not be reached", "PIP_INDEX_URL"],
        ),
        ("ERROR: ResolutionImpossible: for help visit it", ["lines above", "make clean"]),
        ("OSError: [Errno 13] Permission denied", ["may not be written", "make lab MY=folder"]),
    ],
)
def test_what_pip_says_is_shown_and_explained(machine, message, advice):
    machine.python("python3", (3, 12, 3))
    done, _ = machine.install("python3", PIP_SAYS=message)
    assert done.returncode == 1
    shown, _, explained = done.stderr.partition(message)
    assert shown == ""
    for words in advice:
        assert words in explained
    assert "is installed" not in done.stdout


@pytest.mark.parametrize("version", [(3, 10, 13), (3, 11, 0)])
def test_pip_refuses_an_old_python_before_it_loads_anything(version, tmp_path):
    shutil.copy(ROOT / "setup.py", tmp_path)
    text = ".".join(map(str, version))
    code = (
        "import platform, sys\n"
        f"sys.version_info, platform.python_version = {version}, lambda: {text!r}\n"
        "sys.argv = ['setup.py', '--name']; exec(open('setup.py').read())"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode != 0) is (version < (3, 11))
    if done.returncode:
        assert done.stderr.strip() == (
            "The course needs Python 3.11, 3.12, 3.13 or 3.14. This environment has Python 3.10.13."
        )


def make(*arguments):
    command = ["make", "--no-print-directory", *arguments]
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)


def test_help_shows_the_six_targets_of_a_user_and_where_the_others_are():
    shown, everything = (make(*target).stdout for target in ((), ("help-all",)))
    names = re.findall(r"^  make ([a-z-]+)", shown, re.MULTILINE)
    assert sorted(names) == ["assignment", "grade", "lab", "publish", "site", "test"]
    assert shown.splitlines()[-1] == "more: make help-all"
    assert make("help").stdout == shown
    all_names = set(re.findall(r"^  make ([a-z-]+)", everything, re.MULTILINE))
    assert all_names > {*names, "lint", "links", "deep", "colab-branch", "help-all"}


def test_what_make_starts_keeps_its_bytecode_where_the_environment_says_not_to(monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    show = "show: ; @echo $${PYTHONDONTWRITEBYTECODE:-kept}"
    assert make(f"--eval={show}", "show").stdout.strip() == "kept"


def test_make_test_is_for_everybody_and_checks_no_style():
    commands = make("--dry-run", "VENV=no-such-venv", "test").stdout
    assert " -m pytest " in commands
    assert "ruff" not in commands and "mypy" not in commands


def test_make_lab_installs_what_students_need_and_no_more():
    def commands(*target):
        return make("--dry-run", "VENV=no-such-venv", *target).stdout

    lab = commands("lab", "MY=~/mine")
    assert "install.sh no-such-venv lab,real " in lab
    assert "no-such-venv dev" not in lab
    assert 'tools.release.my_copies "~/mine"' in lab and '--ServerApp.root_dir="~/mine"' in lab
    assert "/lab/tree/notebooks/00_start_here.ipynb" in lab
    refresh = commands("refresh")
    assert refresh.index("lab,real") < refresh.index("install.sh no-such-venv dev")
    assert "no-such-venv dev" not in commands("publish") + commands("links")
    assert "install.sh no-such-venv instructor" in commands("grade")


def test_make_installs_through_it_and_marks_only_what_is_complete(machine, tmp_path):
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "tools/release/install.sh"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    machine.python("python3", (3, 12, 3))

    def make_stamp(**more):
        path = f"{machine.bin}{os.pathsep}{os.environ['PATH']}"
        done, calls = machine.run(["make", ".venv/.installed"], PATH=path, **more)
        return done.returncode, calls

    stamp = tmp_path / ".venv" / ".installed"
    assert make_stamp(PIP_SAYS="ERROR: broken")[0] != 0
    assert not stamp.exists()
    assert make_stamp()[0] == 0
    assert stamp.exists()
    assert make_stamp() == (0, [])  # the second start installs nothing
