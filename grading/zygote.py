"""A process that imports what kernels need once, and forks each of them into its sandbox.

bubblewrap puts a program into a sandbox, and not a process that runs already. So sandbox.py has it
start one that only sleeps, and what is forked here joins the namespaces of the sleeper, as nsenter
does, and gives up all rights before it becomes the kernel. When the kernel ends, the sleeper is
ended, and with it the sandbox. A kernel has a copy of this process's memory: so nothing of the
class is in it, no submission, no release and no environment but a kernel's own.
"""

import contextlib
import ctypes
import gc
import json
import os
import resource
import select
import signal
import socket
import sys
from importlib import import_module
from pathlib import Path

from grading import kernel

NAMESPACES = {  # and the flags that setns(2) has for them
    "user": 0x10000000,
    "mnt": 0x00020000,
    "pid": 0x20000000,
    "net": 0x40000000,
    "ipc": 0x08000000,
    "uts": 0x04000000,
    "cgroup": 0x02000000,
}
OPTIONAL = {"cgroup"}  # bubblewrap leaves it out where the system has none
# Options of prctl(2), and the version of the structure that capset(2) takes.
PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 4, 24, 38
CAPABILITIES_VERSION = 0x20080522
LIBC = ctypes.CDLL(None, use_errno=True)


def serve(path: str) -> None:
    """Fork a kernel for each request at the socket ``path``, until standard input ends."""
    gc.disable()
    kernel.import_what_is_needed()
    import_module("matplotlib.font_manager")  # which lists the fonts, for kernels that start too
    gc.collect()
    gc.freeze()  # so that these pages stay shared
    gc.enable()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for what is forked
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        print("ready", flush=True)
        while True:
            readable, _, _ = select.select([sys.stdin, server], [], [])
            if sys.stdin in readable:
                return
            connection, _ = server.accept()
            if os.fork() == 0:
                server.close()
                with contextlib.suppress(BaseException):
                    _answer(connection)
                os._exit(1)
            connection.close()


def _answer(connection: socket.socket) -> None:
    """Fork the kernel, say its number or what is wrong, and end the sandbox when it has ended.

    Without ``argv`` it is a trial, and there is no kernel.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    request = json.loads(connection.makefile().readline())
    sleeper = os.pidfd_open(request["sleeper"])
    kernel_process = None
    answer: dict[str, object] = {}
    try:
        if (user := request["user"]) is not None:  # give up root
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
        _join(request["sleeper"], sleeper)
        _give_up_all_rights()
        os.chdir(request["folder"])
        if request["argv"]:
            kernel_process = answer["kernel"] = os.fork()
    except OSError as problem:
        answer["problem"] = str(problem)
    if kernel_process == 0:
        _become_kernel(request["argv"], request["limits"])
    connection.sendall(json.dumps(answer).encode() + b"\n")
    connection.close()
    if kernel_process is not None:
        os.waitpid(kernel_process, 0)
    signal.pidfd_send_signal(sleeper, signal.SIGKILL)


def _join(number: int, process: int) -> None:
    """Join the namespaces of a process; ``process`` is its file descriptor."""
    flags = 0
    for name, flag in NAMESPACES.items():
        own, its = (os.stat(f"/proc/{pid}/ns/{name}").st_ino for pid in ("self", number))
        if own != its:
            flags |= flag
        elif name not in OPTIONAL:
            raise OSError(f"the sandbox has no {name} namespace of its own")
    _call("setns", process, flags)


def _give_up_all_rights() -> None:
    """Who joins a user namespace has every capability in it."""
    last = int(Path("/proc/sys/kernel/cap_last_cap").read_text())
    for capability in range(last + 1):
        _call("prctl", PR_CAPBSET_DROP, capability, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION, 0)
    _call("capset", header, (ctypes.c_uint32 * 6)())  # none effective, permitted or inheritable
    _call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    _call("prctl", PR_SET_DUMPABLE, 1, 0, 0, 0)  # its own files in /proc are its own again


def _call(name: str, *arguments: object) -> None:
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    if getattr(LIBC, name)(*wide) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def _become_kernel(argv: list[str], limits: dict[str, int]) -> None:
    """Never returns."""
    try:
        os.setsid()
        # The run holds Ctrl-C back from what it starts; a kernel has to be interrupted.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        for name, most in limits.items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))
        sys.argv = argv
        kernel.run()
    finally:
        os._exit(0)


if __name__ == "__main__":
    serve(sys.argv[1])
