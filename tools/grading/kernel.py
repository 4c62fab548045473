"""The program of the sandboxed kernel: ipykernel that sends at once what is printed in bulk.

By itself, ipykernel collects what is printed and sends it five times a second. A loop that prints
without end can fill the memory in that time, and then chance decides how it ends: for want of
memory, at the time limit, or at the grader's limit on output. Here a notebook that prints much
waits until it is on its way, so that the grader can count it.

This is the only file of the grader that the kernel sees. It protects nothing, since a notebook can
replace sys.stdout: sandbox.py and execute.py do that.
"""

import sys

from ipykernel import kernelapp
from ipykernel.iostream import OutStream

PIECE = 100_000  # characters


class PromptStream(OutStream):
    """What sys.stdout and sys.stderr are in the kernel."""

    unsent = 0  # characters

    def write(self, string: str) -> int:
        for start in range(0, len(string), PIECE):
            piece = string[start : start + PIECE]
            super().write(piece)
            self.unsent += len(piece)
            if self.unsent >= PIECE:
                self.unsent = 0
                self.flush()  # waits for the thread that sends
        return len(string)


if __name__ == "__main__":
    sys.path.pop(0)  # the folder of this file
    PromptStream.__module__ = "grading.kernel"  # probe.py takes what is of __main__ for a student's
    kernelapp.launch_new_instance(outstream_class=f"{__name__}.{PromptStream.__name__}")
