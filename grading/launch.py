"""Start a kernel in its sandbox, or have zygote.py fork one into it.

A kernel that is started imports torch, which is most of what a submission costs. One that is forked
has it already; then the sandbox is started around a program that only sleeps.
"""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning import LocalProvisioner
from traitlets import Instance, Unicode

from grading.sandbox import (
    KERNEL,
    SANDBOX_USER,
    WORK,
    Limits,
    environment,
    give_to_sandbox,
    import_path,
    kernel_command,
    sandbox_command,
)

if TYPE_CHECKING:  # a worker does without
    from nbformat import NotebookNode

IMPORTS = "GRADER_IMPORTS"  # kernel.IMPORTS, without importing ipykernel
ZYGOTE = "zygote"  # of a worker's folders, the socket of zygote.py
SLEEPER = ["sh", "-c", "echo ready; exec sleep infinity"]
SLEEPS = ("sh", "sleep")  # its name before and after it says that it is there


def start_zygote(shared: Path, env: dict[str, str]) -> subprocess.Popen | None:
    """Start zygote.py, which answers at a socket in ``shared``; None where it does not.

    ``env`` is what its kernels need besides. In the folder for fonts it leaves their list.
    """
    given = environment(shared) | env
    places = [given.get("PYTHONPATH", ""), str(Path(__file__).parents[1])]
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "grading.zygote", str(shared / ZYGOTE)],
        env=given | {"PYTHONPATH": os.pathsep.join(filter(None, places))},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is the run's
    )
    assert process.stdout is not None
    if process.stdout.readline():
        return process
    end_zygote(process)
    return None


def end_zygote(process: subprocess.Popen) -> None:
    """Its kernels end with their sandboxes."""
    process.kill()
    process.communicate()


def fork_into(
    sandbox: subprocess.Popen, zygote: Path, argv: list[str], limits: Limits
) -> int | None:
    """Have a kernel forked into a sandbox around SLEEPER; return its number, or RuntimeError.

    Without ``argv`` it is only tried whether that can be.
    """
    assert sandbox.stdout is not None
    if not sandbox.stdout.readline():  # it says so when it sleeps
        raise RuntimeError("the sandbox did not start")
    family = [psutil.Process(sandbox.pid), *psutil.Process(sandbox.pid).children(recursive=True)]
    (sleeper,) = (process for process in family if process.name() in SLEEPS)
    request = {
        "sleeper": sleeper.pid,
        "user": SANDBOX_USER if os.getuid() == 0 else None,
        "folder": WORK,
        "limits": limits.of_a_process(),
        "argv": argv,
    }
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(zygote))
        connection.sendall(json.dumps(request).encode() + b"\n")
        answer = json.loads(connection.makefile().readline())
    if "problem" in answer:
        raise RuntimeError(f"no kernel could be forked into the sandbox: {answer['problem']}")
    return answer.get("kernel")


def can_fork(shared: Path, limits: Limits, connection_dir: Path) -> bool:
    """Whether a zygote's processes can join a sandbox here, which some systems may not allow."""
    if os.getuid() == 0:
        give_to_sandbox(connection_dir)
    command = [*sandbox_command(limits, connection_dir, shared), *SLEEPER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as sandbox:
        try:
            fork_into(sandbox, shared / ZYGOTE, [], limits)
        except (OSError, RuntimeError, ValueError):
            return False
        finally:
            sandbox.kill()
    return True


def environment_of(notebook: "NotebookNode") -> dict[str, str]:
    """What a kernel needs beside what a sandbox gives it, among it what the release imports."""
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    ours = r"^from (course_(?:lib|checks)[.\w]*) import (\([^)]*\)|.*)"
    imports = re.findall(ours, code, re.MULTILINE)
    named = [f"{module}:{name}" for module, names in imports for name in re.findall(r"\w+", names)]
    return {
        "NBGRADER_EXECUTION": "autograde",
        "TORCHDYNAMO_DISABLE": "1",  # to compile takes longer than a check waits, and a compiler
        IMPORTS: " ".join(sorted({"course_checks:ALL", "cloudpickle:loads", *named})),
    }


def write_kernelspec(
    folder: Path,
    limits: Limits,
    connection_dir: Path,
    *,
    sandbox: bool,
    shared: Path,
    env: dict[str, str],
    forked: bool,
    as_user: Sequence[str] = (),
) -> None:
    """Write the kernelspec into ``folder``; of a kernel that is ``forked``, the sandbox alone."""
    if forked:
        command = [*sandbox_command(limits, connection_dir, shared), *SLEEPER]
    else:
        *limited, python = kernel_command(limits, connection_dir, sandbox=sandbox, shared=shared)
        settings = [f"{name}={value}" for name, value in (env | import_path(shared)).items()]
        command = [*as_user, *limited, "env", *settings, python, str(KERNEL)]
        command += ["-f", "{connection_file}"]
    spec = {
        "argv": command,
        "display_name": "Sandboxed Python",
        "language": "python",
        "interrupt_mode": "message",  # a signal does not reach another process namespace
    }
    path = folder / "kernels" / "sandboxed" / "kernel.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(spec))


class GraderKernelManager(AsyncKernelManager):
    """Starts the kernel, mute: a notebook has no business on the instructor's terminal.

    ``zygote`` is the socket of the process that forks the kernel; "" where that is started.
    ``forked`` is the number of the kernel's process, where it is forked.
    """

    zygote = Unicode("", config=True)
    limits = Instance(Limits, (), config=True)
    forked: int | None = None

    async def _async_launch_kernel(self, kernel_cmd: list[str], **kwargs) -> None:
        out = subprocess.PIPE if self.zygote else subprocess.DEVNULL
        mute = {"stdout": out, "stderr": subprocess.DEVNULL}
        await super()._async_launch_kernel(kernel_cmd, **{**kwargs, **mute})
        if self.zygote:
            assert isinstance(self.provisioner, LocalProvisioner)
            sandbox = self.provisioner.process
            assert sandbox is not None
            argv = [str(KERNEL), "-f", self.connection_file]
            self.forked = fork_into(sandbox, Path(self.zygote), argv, self.limits)

    _launch_kernel = _async_launch_kernel

    def write_connection_file(self, **kwargs) -> None:
        super().write_connection_file(**kwargs)
        if os.getuid() == 0:  # only root can read what root wrote
            give_to_sandbox(Path(self.connection_file).parent)
            give_to_sandbox(Path(self.connection_file))
