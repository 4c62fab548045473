"""The border between a judge and the process of the function that it judges: that process's side.

``judged`` does what the judge asks for, and sends back plain data. ``from_outside`` is the judge's
side.
"""

import pickle
import socket
import struct
from collections.abc import Callable
from typing import Any

from course_checks.judge.calling import untouched_globals
from course_checks.judge.engine import TIME_LIMIT
from course_checks.judge.plain_data import as_bytes
from course_checks.judge.watchdog import Watchdog

MOST = 2**28  # bytes of one message
LENGTH = struct.Struct("<Q")
# The function that is judged, its watchdog, and the connection with the judge.
_judged: list[tuple[Any, Watchdog, socket.socket]] = []


def judged(judge: socket.socket, function: Any, request: dict[str, Any]) -> Any:
    """Have the ``judge`` judge ``function``, as what ``request`` says; returns what it says.

    Raises:
        OSError: it cannot be reached, or has ended.
    """
    send(judge, as_bytes(request))
    with untouched_globals(), Watchdog(TIME_LIMIT) as watchdog:
        _judged.append((function, watchdog, judge))
        try:
            while True:
                is_last, message = pickle.loads(receive(judge))
                if is_last:
                    return message
                send(judge, _done(*message))
        finally:
            _judged.pop()


def _done(work: Callable, args: tuple) -> bytes:
    try:
        return as_bytes(("done", work(*args)))
    except Exception as problem:  # which the judge raises again
        return as_bytes(("done", problem))


def ask_back(*question: Any) -> Any:
    """What the judge answers to a question that comes up while it waits."""
    judge = _judged[-1][2]
    send(judge, as_bytes(("asks", question)))
    answer = pickle.loads(receive(judge))
    if isinstance(answer, Exception):
        raise answer
    return answer


# What stands in a message for what cannot or may not travel.
def itself(value: Any) -> Any:
    return value


def the_function() -> Any:
    return _judged[-1][0]


def the_watchdog() -> Watchdog:
    return _judged[-1][1]


def send(connection: socket.socket, message: bytes) -> None:
    connection.sendall(LENGTH.pack(len(message)) + message)


def receive(connection: socket.socket) -> bytes:
    """The next message.

    Raises:
        OSError: none came, or one that is too long.
    """
    (size,) = LENGTH.unpack(_read(connection, LENGTH.size))
    if size > MOST:
        raise OSError(f"a message of {size} bytes")
    return _read(connection, size)


def _read(connection: socket.socket, size: int) -> bytes:
    parts = []
    while size:
        part = connection.recv(min(size, 2**20))
        if not part:
            raise ConnectionError("the connection has ended")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
