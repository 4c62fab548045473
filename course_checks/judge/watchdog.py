"""Stop a call that does not end, on every system and in every thread."""

import ctypes
import sys
import threading
import time
from collections.abc import Callable

POLL = 0.02  # seconds between two looks at the clock
PATIENCE = 4


class TimeLimit(BaseException):
    """The call took too long. No ``Exception``, so that ``except Exception`` lets it through."""


class Watchdog:
    """``with Watchdog(seconds) as watchdog: watchdog.call(function)`` for any number of calls.

    The seconds are those of the processor: where other programs keep it busy, a call has longer.
    Imports do not count: torch imports for a second at its first optimizer, and an import that is
    broken off leaves half a module behind. A call that only waits is stopped after ``PATIENCE``
    times as many by the clock on the wall.

    A second thread raises TimeLimit in the calling one. That needs no signal: Windows has no alarm,
    and only a main thread gets one. It raises it again and again, so a loop with a bare ``except:``
    ends too. A single call into C, such as a long ``time.sleep``, is interrupted only at its end.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._running: object | None = None  # another object for each call
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
        self._running = object()
        try:
            return function()
        finally:
            while True:
                try:
                    with self._lock:  # after this block no exception is sent any more
                        self._running = None
                    for _ in range(10):  # one that was sent arrives at the turn of a loop
                        pass
                    break
                except TimeLimit:
                    continue

    def _is_importing(self) -> bool:
        frame = sys._current_frames().get(self._thread_id.value)
        while frame is not None and frame.f_code is not Watchdog.call.__code__:
            if frame.f_code.co_filename == "<frozen importlib._bootstrap>":
                return True
            frame = frame.f_back
        return False

    def _watch(self) -> None:
        watched, waited, used = None, 0.0, 0.0  # by the wall, by the processor
        wall, processor = time.monotonic(), time.process_time()
        while not self._closed.wait(POLL):
            with self._lock:
                before = wall, processor
                wall, processor = time.monotonic(), time.process_time()
                if self._running is not watched:  # it has begun after the last look
                    watched, waited, used = self._running, 0.0, 0.0
                elif watched is not None:
                    waited += wall - before[0]
                    if not self._is_importing():
                        # Several threads may use more seconds of processors than have passed.
                        used += min(wall - before[0], processor - before[1])
                if used > self._seconds or waited > PATIENCE * self._seconds:
                    # What is sent has to arrive: taking it back (NULL for the exception) would
                    # leave CPython 3.11 looking for an exception at every instruction from then on.
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        self._thread_id, ctypes.py_object(TimeLimit)
                    )
