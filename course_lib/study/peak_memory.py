"""How much memory a computation holds at once."""

import contextlib
import os
import warnings
from collections.abc import Callable, Iterator

import torch
from torch.profiler import ProfilerActivity, profile


def peak_bytes(function: Callable[[], object]) -> int:
    """Return the most bytes that ``function`` held at once, beside what was there before.

    A first call warms up. On a GPU, torch's allocator measures a second one. Where no memory of a
    GPU was used, the log of the CPU's allocator measures one more, so the number does not depend on
    what the process holds or held before. What ``function`` returns counts too.
    """
    function()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        function()
        on_gpu = torch.cuda.max_memory_allocated() - before
        if on_gpu > 0:
            return on_gpu
    with _silent(), profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        function()
    held = peak = 0
    for event in sorted(profiler.profiler.kineto_results.events(), key=lambda e: e.start_ns()):
        if event.name() == "[memory]":
            held += event.nbytes()
            peak = max(peak, held)
    return peak


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """The profiler writes lines to the process's stderr, past Python: they would fill a cell.

    Some versions of torch also warn, in Python, of what does not matter here. What the function
    warns of, its first call has shown.
    """
    kept = os.dup(2)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
