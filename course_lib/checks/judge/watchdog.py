"""Stop a call that does not end, on every system and in every thread."""

import ctypes
import threading
import time
from collections.abc import Callable

POLL = 0.02  # seconds between two looks at the clock


class TimeLimit(BaseException):
    """The call took too long. No ``Exception``, so that ``except Exception`` lets it through."""


class Watchdog:
    """``with Watchdog(seconds) as watchdog: watchdog.call(function)`` for any number of calls.

    A second thread raises TimeLimit in the calling one. That needs no signal: Windows has no alarm,
    and only a main thread gets one. It raises it again and again, so a loop with a bare ``except:``
    ends too. A single call into C, such as a long ``time.sleep``, is interrupted only at its end.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._deadline: float | None = None
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._thread_id = ctypes.c_ulong(threading.get_ident())

    def __enter__(self) -> "Watchdog":
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self._closed.set()

    def call(self, function: Callable[[], object]) -> object:
        """Return ``function()``; TimeLimit is raised inside it when it takes too long."""
        self._deadline = time.monotonic() + self._seconds
        try:
            return function()
        finally:
            while True:
                try:
                    with self._lock:  # after this block no exception is sent any more
                        self._deadline = None
                    for _ in range(10):  # one that was sent arrives at the turn of a loop
                        pass
                    break
                except TimeLimit:
                    continue

    def _watch(self) -> None:
        while not self._closed.wait(POLL):
            with self._lock:
                if self._deadline is not None and time.monotonic() > self._deadline:
                    # What is sent has to arrive: taking it back (NULL for the exception) would
                    # leave CPython 3.11 looking for an exception at every instruction from then on.
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        self._thread_id, ctypes.py_object(TimeLimit)
                    )
