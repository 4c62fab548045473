"""Run a program under bubblewrap: no network, no host files, no environment, limited resources.

The kernel sees, read-only, /usr, the Python environment, course_lib, its own program kernel.py,
matplotlib's list of fonts and, in the place of course_checks, a door to the judge. It works in
memory (tmpfs), and talks with the grader and the judge over sockets in one small folder. Where the
grader runs as root, the limit on processes would not bind, and another user might not reach /root:
so a first bubblewrap, as root, lays out the same files where everybody can reach them, and the
sandbox proper starts inside as another user.
"""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

NOBODY = 65534
SANDBOX_USER = 61_000  # the user that root becomes; needs no account
WORK = "/home/student"  # the kernel's home and working folder, in memory
# Of a worker's folders, those that kernels share: matplotlib's list of fonts, and the door.
FONTS, DOOR = "fonts", "door"
LEFT_OUT = ("exercises", "notebook", "from_outside.py", "__main__.py", "__pycache__")
KERNEL = Path(__file__).with_name("kernel.py").resolve()
FIND_WHAT_A_KERNEL_IMPORTS = """
from importlib.util import find_spec
import zmq
needed = ("ipykernel", "torch", "course_lib")
missing = [name for name in needed if find_spec(name) is None]
assert not missing, missing
"""
HOW_TO_INSTALL = (
    "Untrusted notebooks are run under bubblewrap, version 0.8 or newer, with setpriv and prlimit "
    "of util-linux. Install it: apt-get install bubblewrap (Debian, Ubuntu), or dnf install "
    "bubblewrap (Fedora). SANDBOX=none runs them without protection, as you."
)


class NoSandbox(RuntimeError):
    """The sandbox cannot be used here; the message says why and what to do."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use: wall-clock seconds, bytes, and processes at a time.

    ``memory`` is of each process and of all together. More ``processes`` stop the kernel, so that
    classmates keep the processor; to start more ``tasks``, threads among them, fails. The working
    folder holds 4 times the ``file_size``. Output of a cell beyond ``kept_output`` is dropped, and
    beyond ``output`` of all cells the kernel is stopped.
    """

    cell_seconds: int = 60
    submission_seconds: int = 300
    memory: int = 3 * 2**30
    processes: int = 32
    tasks: int = 128
    file_size: int = 64 * 2**20
    kept_output: int = 2**20
    output: int = 64 * 2**20

    def of_a_process(self) -> dict[str, int]:
        """Those that the system keeps for a process, by their names in ``resource``."""
        return {
            "DATA": self.memory,
            "NPROC": self.tasks,
            "FSIZE": self.file_size,
            "CPU": self.submission_seconds,
            "NOFILE": 256,
            "CORE": 0,
        }


def course_folders() -> list[Path]:
    """Where course_lib and course_checks are; to import them would bring torch: seconds."""
    specs = [find_spec(name) for name in ("course_lib", "course_checks")]
    return [Path(spec.origin).resolve().parent for spec in specs if spec and spec.origin]


def lay_out_door(shared: Path, about: dict[str, tuple]) -> Path:
    """What kernels import as course_checks: without the exercises, and so without an answer.

    ``about`` says what a student may know of each check.
    """
    (source,) = (folder for folder in course_folders() if folder.name == "course_checks")
    door = shared / DOOR / source.name
    shutil.copytree(source, door, ignore=shutil.ignore_patterns(*LEFT_OUT))
    shutil.copy(Path(__file__).with_name("door.py"), door / "__init__.py")
    (door / "checks.json").write_text(json.dumps(about))
    return door


def import_path(shared: Path | None) -> dict[str, str]:
    """The variable that says where a kernel finds the door, and course_lib where it is editable."""
    (library,) = (folder for folder in course_folders() if folder.name == "course_lib")
    places = [] if shared is None else [shared / DOOR]
    places += [] if library.is_relative_to(sys.prefix) else [library.parent]
    return {"PYTHONPATH": os.pathsep.join(map(str, places))} if places else {}


def kernel_command(
    limits: Limits, connection_dir: Path, *, sandbox: bool, shared: Path | None = None
) -> list[str]:
    """The command before the kernel's own arguments; ``shared`` has what kernels share."""
    most_of = limits.of_a_process()
    if not sandbox:
        del most_of["NPROC"]  # it would count all of the user's processes
    limited = ["prlimit", *(f"--{name.lower()}={most}" for name, most in most_of.items())]
    if sandbox:
        limited = [*sandbox_command(limits, connection_dir, shared), *limited]
    return [*limited, sys.executable]


def another_user() -> tuple[str, ...]:
    """What runs a kernel as a user who owns nothing; nothing where that cannot be."""
    if os.getuid() != 0 or shutil.which("setpriv") is None:
        return ()
    ids = (f"--reuid={SANDBOX_USER}", f"--regid={SANDBOX_USER}", "--clear-groups")
    command = ("setpriv", *ids, "--no-new-privs", "env", "HOME=/tmp", "MPLCONFIGDIR=/tmp/mpl")
    probe = [*command, sys.executable, "-c", FIND_WHAT_A_KERNEL_IMPORTS]
    tried = subprocess.run(probe, env=os.environ | import_path(None), capture_output=True)
    return () if tried.returncode else command


def sandbox_command(limits: Limits, connection_dir: Path, shared: Path | None) -> list[str]:
    """The command that runs what follows it in a sandbox."""
    binds = [*_system_binds(), *_python_binds(), *_bind_shared(shared)]
    if os.getuid() != 0:
        start = ["env", "-i", _tool("bwrap"), *_layout(binds)]
        return [*start, *_sandbox_options(limits, connection_dir, shared)]
    # Its own process namespace takes along what is inside when it ends. --die-with-parent alone
    # does not: root that has given up its rights may not kill the process of another user.
    outer = [
        *("env", "-i", _tool("bwrap"), "--die-with-parent", "--unshare-pid"),
        *_layout([*binds, "--bind", str(connection_dir), str(connection_dir)]),
        *("--dev-bind", "/dev", "/dev", "--bind", "/proc", "/proc"),
        *("--perms", "0755", "--dir", WORK, "--perms", "0755", "--dir", "/tmp"),
        *(_tool("setpriv"), f"--reuid={SANDBOX_USER}", f"--regid={SANDBOX_USER}"),
        *("--clear-groups", "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"),
    ]
    inside = _sandbox_options(limits, connection_dir, shared)
    return [*outer, _tool("bwrap"), "--bind", "/", "/", *inside]


def _sandbox_options(limits: Limits, connection_dir: Path, shared: Path | None) -> list[str]:
    """The options of the sandbox proper, after the files it sees."""
    fonts = [] if shared is None or not _fonts_of(shared) else [str(shared / FONTS)]
    return [
        *("--unshare-all", "--unshare-user", "--disable-userns"),
        *("--die-with-parent", "--new-session"),
        *("--uid", str(NOBODY), "--gid", str(NOBODY), "--hostname", "sandbox"),
        *("--proc", "/proc", "--dev", "/dev"),
        *("--size", str(limits.file_size), "--tmpfs", "/dev/shm"),
        *("--size", str(limits.file_size), "--tmpfs", "/tmp"),
        *("--size", str(4 * limits.file_size), "--tmpfs", WORK),
        *(
            part
            for folder in fonts
            for part in ("--size", str(limits.file_size), "--tmpfs", folder)
        ),
        *_bind_shared(shared),
        *("--bind", str(connection_dir), str(connection_dir)),
        *_python_binds(below="/tmp"),  # which the empty /tmp has hidden
        *("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", WORK, "--clearenv"),
        *(part for item in environment(shared).items() for part in ("--setenv", *item)),
    ]


def environment(shared: Path | None) -> dict[str, str]:
    """What a kernel in a sandbox finds in ``os.environ``."""
    fonts = shared / FONTS if shared is not None and (shared / FONTS).is_dir() else None
    one_thread = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    return {
        "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin",
        "HOME": WORK,
        "USER": "student",
        "LANG": "C.UTF-8",
        "MPLCONFIGDIR": f"{WORK}/.matplotlib" if fonts is None else str(fonts),
        "IPYTHONDIR": f"{WORK}/.ipython",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PIP_RETRIES": "1",  # no network: who fetches something hears it soon, and why
        **dict.fromkeys(one_thread, "1"),
        **import_path(shared),
    }


def _tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise NoSandbox(f"{name} is missing. {HOW_TO_INSTALL}")
    return path


def _system_binds() -> list[str]:
    options = ["--ro-bind", "/usr", "/usr"]
    for path in map(Path, ("/bin", "/sbin", "/lib", "/lib32", "/lib64")):
        if path.is_symlink():
            options += ["--symlink", os.readlink(path), str(path)]
        elif path.exists():
            options += ["--ro-bind", str(path), str(path)]
    # The dynamic linker's cache, fonts and the clock; nothing else of /etc.
    for name in ("ld.so.cache", "alternatives", "fonts", "localtime"):
        options += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    return options


def _python_binds(below: str = "/") -> list[str]:
    """The environment, the Python that it is made of, course_lib where that is editable, kernel.py.

    Of these, the ones below the folder ``below``. Where course_checks is installed, it is hidden.
    """
    shown: list[Path] = []
    course = {folder.name: folder for folder in course_folders()}
    for path in (Path(sys.prefix), Path(sys.base_prefix), course["course_lib"], KERNEL):
        if not path.is_relative_to("/usr") and not any(path.is_relative_to(top) for top in shown):
            shown.append(path)
    binds = _read_only([path for path in shown if path.is_relative_to(below)])
    answers = course["course_checks"]
    is_shown = any(answers.is_relative_to(path.resolve()) for path in (Path("/usr"), *shown))
    if is_shown and answers.is_relative_to(below):
        binds += ["--tmpfs", str(answers)]
    return binds


def _bind_shared(shared: Path | None) -> list[str]:
    """The door, and what matplotlib has listed, since each sandbox would look for fonts again."""
    return [] if shared is None else _read_only([shared / DOOR, *_fonts_of(shared)])


def _fonts_of(shared: Path) -> list[Path]:
    return sorted((shared / FONTS).glob("fontlist*.json"))


def _read_only(paths: list[Path]) -> list[str]:
    return [part for path in paths for part in ("--ro-bind", str(path), str(path))]


def _layout(binds: list[str]) -> list[str]:
    """The files in sight. Folders on the way to them are made first, empty and open to all."""
    parents = {str(parent) for path in binds if path[0] == "/" for parent in Path(path).parents}
    made = []
    for parent in sorted(parents - {"/"}):
        if not Path(parent).is_relative_to("/usr"):
            made += ["--perms", "0755", "--dir", parent]
    return [*made, *binds]


def give_to_sandbox(path: Path) -> None:
    os.chown(path, SANDBOX_USER, SANDBOX_USER)


def require(limits: Limits, connection_dir: Path) -> None:
    """Raise NoSandbox unless a sandboxed Python starts here and finds what a kernel imports.

    Without importing it all, since that is what takes long.
    """
    options = subprocess.run([_tool("bwrap"), "--help"], capture_output=True, text=True).stdout
    if "--size" not in options or "--disable-userns" not in options:
        raise NoSandbox(f"This bubblewrap is too old. {HOW_TO_INSTALL}")
    if os.getuid() == 0:
        give_to_sandbox(connection_dir)
    command = kernel_command(limits, connection_dir, sandbox=True)
    tried = subprocess.run(
        [*command, "-c", FIND_WHAT_A_KERNEL_IMPORTS], capture_output=True, text=True
    )
    if tried.returncode:
        raise NoSandbox(
            "bubblewrap is here, and a Python inside it does not start. Containers and some "
            "systems forbid user namespaces to it (kernel.unprivileged_userns_clone = 0, on Ubuntu "
            "kernel.apparmor_restrict_unprivileged_userns = 1, seccomp). "
            f"It said: {tried.stderr.strip()[-500:]}"
        )
