"""Fair timing: the contestants take turns in one process, and the median of each counts."""

import gc
import statistics
import time
from collections.abc import Callable

import torch


def alternate(
    contestants: dict[str, Callable[[], object]], *, seconds: float, device: str = "cpu"
) -> dict[str, float]:
    """Return the median seconds of each contestant, see ``in_turns``."""
    times = in_turns(contestants, seconds=seconds, device=device)
    return {name: statistics.median(values) for name, values in times.items()}


def in_turns(
    contestants: dict[str, Callable[[], object]],
    *,
    seconds: float,
    device: str = "cpu",
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, list[float]]:
    """Return the seconds of each contestant in each round, run in turns: A B C A B C ...

    A machine that slows down or is shared slows all of them alike. Every second round goes the
    other way round, so that nobody always follows the same neighbour. The first round warms up.

    Args:
        contestants: name and function without arguments.
        seconds: about how long all rounds together take; at least 5 rounds are run.
        device: "cuda" waits for the GPU after each run.
        clock: ``time.process_time`` does not count the time of other processes.
    """
    times = {name: [] for name in contestants}
    order = list(contestants)
    stop = None
    gc.disable()
    try:
        rounds = 0
        while stop is None or rounds <= 5 or time.perf_counter() < stop:
            for name in order:
                elapsed = _time_once(contestants[name], device, clock)
                if rounds > 0:
                    times[name].append(elapsed)
            if rounds == 0:
                stop = time.perf_counter() + seconds
            order.reverse()
            rounds += 1
    finally:
        gc.enable()
    return times


def _time_once(function: Callable[[], object], device: str, clock: Callable[[], float]) -> float:
    if device == "cuda":
        torch.cuda.synchronize()
    start = clock()
    function()
    if device == "cuda":
        torch.cuda.synchronize()
    return clock() - start
