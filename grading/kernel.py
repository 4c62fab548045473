"""The program of the sandboxed kernel: ipykernel that sends at once what is printed in bulk.

By itself, ipykernel sends what is printed five times a second. A loop that prints without end can
fill the memory in that time. Here it waits until that is on its way, and what a cell prints beyond
a limit is dropped. What would end the kernel, exit(), quit() and os._exit(), ends the cell.

This is the only file of the grader that the kernel sees. It protects nothing, since a notebook can
replace sys.stdout: sandbox.py and execute.py do that. zygote.py forks kernels that run from here.
"""

import gc
import os
import sys
import threading
from typing import NoReturn

if __name__ == "__main__":
    gc.disable()

from ipykernel import kernelapp  # noqa: E402
from ipykernel.iostream import OutStream  # noqa: E402
from ipykernel.zmqshell import ZMQInteractiveShell  # noqa: E402

PIECE = 100_000  # characters
MOST = 2_000_000  # characters that a cell may print; what comes after them is dropped
ENDLESS = 50 * MOST  # a cell that has printed so much is ended
IMPORTS = "GRADER_IMPORTS"  # the variable that says what to import first, as module:name


class PromptStream(OutStream):
    """What sys.stdout and sys.stderr are in the kernel."""

    unsent = printed = 0  # characters
    cell = ""  # the request that prints

    def write(self, string: str) -> int:
        cell = self.parent_header.get("msg_id", "")
        if cell != self.cell:
            self.cell, self.printed = cell, 0
        if self.printed > ENDLESS:
            self.printed = MOST
            if threading.current_thread() is self.watch_fd_thread:
                os.close(self._fid or -1)  # ends the process that prints so much
            else:
                raise SystemExit("this cell printed without end")
        left = max(0, MOST - self.printed)
        self.printed += len(string)
        for start in range(0, min(len(string), left), PIECE):
            piece = string[start : start + PIECE]
            super().write(piece)
            self.unsent += len(piece)
            if self.unsent >= PIECE:
                self.unsent = 0
                self.flush()  # waits for the thread that sends
        return len(string)


def import_what_is_needed() -> None:
    # The kernel would say so before matplotlib is imported, if it came first.
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    for part in os.environ.pop(IMPORTS, "").split():
        module, name = part.split(":")
        __import__(module, fromlist=[name])  # some of the course's modules load with a name


def run() -> None:
    """Be the kernel that ``sys.argv`` asks for."""
    kernel, end = os.getpid(), os._exit

    def end_of_a_cell(status: int = 0) -> NoReturn:
        if os.getpid() != kernel:  # of a process that the cell started
            end(status)
        raise SystemExit(status)

    if "" not in sys.path:
        sys.path.insert(0, "")  # as in Jupyter: what a cell writes can be imported
    os._exit = end_of_a_cell
    setattr(ZMQInteractiveShell, "ask_exit", lambda shell: end_of_a_cell())  # noqa: B010
    try:
        kernelapp.launch_new_instance(outstream_class=f"{__name__}.{PromptStream.__name__}")
    finally:
        os._exit = end


if __name__ == "__main__":
    sys.path.pop(0)  # the folder of this file
    import_what_is_needed()
    gc.freeze()  # these stay
    gc.enable()
    run()
