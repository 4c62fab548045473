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

plain_write = OutStream.write


def write(stream: OutStream, text: str) -> int:
    for start in range(0, len(text), PIECE):
        piece = text[start : start + PIECE]
        plain_write(stream, piece)
        stream.unsent = getattr(stream, "unsent", 0) + len(piece)
        if stream.unsent >= PIECE:
            stream.unsent = 0
            stream.flush()  # waits for the thread that sends
    return len(text)


if __name__ == "__main__":
    OutStream.write = write
    sys.path.pop(0)  # the folder of this file
    kernelapp.launch_new_instance()
