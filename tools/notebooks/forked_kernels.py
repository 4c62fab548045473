"""Kernels that are forked from a process that has imported torch, which takes each 2 to 4 seconds.

    python -m tools.notebooks.forked_kernels MODULE...   # what KernelForks starts

A forked kernel differs from one that was started in what `sys.modules` holds, and in nothing else:
its names, environment, folder, path and random state are its own. A module that it has without
having asked for it can hide a missing import only where it is reached through its package, as in
`torch.onnx.export`. So the course is not among the modules, and who imports it does so anew.
"""

import contextlib
import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module

LAUNCHER = "ipykernel_launcher"


class ForkedKernel:
    """What jupyter_client asks of the process of a kernel, which is a child of another process."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int):
        self.pid = pid

    def poll(self) -> int | None:
        """Return None while it lives. How it ended, only its parent could tell."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    wait = poll  # jupyter_client calls it for a process that has ended

    def send_signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)


class KernelForks:
    """The process that kernels are forked from, started with the first of them.

    Its environment is that of the first kernel: what Python and torch read when they start, such as
    OMP_NUM_THREADS, must be the same for all.
    """

    # macOS has fork, and libraries that do not survive it.
    possible = sys.platform == "linux"

    def __init__(self, modules: Sequence[str]):
        self.modules = modules
        self.process: subprocess.Popen | None = None

    def launch(self, command: list[str], *, env: dict[str, str], cwd, **_) -> ForkedKernel:
        """Do what `jupyter_client.launch_kernel` does."""
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, __file__, *self.modules],
                env=env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,  # Ctrl-C is for pytest
            )
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        arguments = command[command.index(LAUNCHER) :]
        print(json.dumps([arguments, env, str(cwd)]), file=stdin, flush=True)
        if not (pid := stdout.readline()):
            raise RuntimeError("The process that kernels are forked from has ended; see above.")
        return ForkedKernel(int(pid))

    def stop(self) -> None:
        if self.process is not None:
            self.process.communicate()  # which closes its standard input


def serve(modules: Sequence[str]) -> None:
    """Fork a kernel for each line of standard input, until it ends."""
    del sys.path[0]  # the folder of this file
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # a kernel ends when this process has
    # matplotlib reads it when it is imported; in a kernel, ipykernel would have set it by then.
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    gc.disable()
    for name in ("ipykernel.kernelapp", *modules):
        import_module(name)
    gc.freeze()  # these stay, so no kernel need look at them
    gc.enable()
    signal.signal(signal.SIGCHLD, _count_the_ended)
    for line in sys.stdin:
        if os.fork() == 0:
            try:
                _become_kernel(*json.loads(line))
            finally:
                os._exit(1)


def _count_the_ended(*_) -> None:
    """Nothing is left of a kernel that has ended but its seconds, which `time` adds up."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _become_kernel(arguments: list[str], environment: dict[str, str], folder: str) -> None:
    os.setsid()  # before anybody knows its number: it is interrupted and ended with its children
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    if torch := sys.modules.get("torch"):
        torch.default_generator.seed()
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed()  # Python's own random has done so by itself
    print(os.getpid(), flush=True)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    sys.argv = arguments
    sys.modules["ipykernel.kernelapp"].launch_new_instance()


if __name__ == "__main__":
    serve(sys.argv[1:])
