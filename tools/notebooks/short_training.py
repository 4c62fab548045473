"""Cut the training of a notebook short, where what is tested is not what comes out of it.

The rehearsal on another device and the runs in JupyterLab do so. nbval trains in full, and
compares. In both, lessons also write shorter texts (solutions compare what a model writes). In the
rehearsal they time each thing once, and start the same processes once.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import torch

FEW_STEPS = 3


def cut_short(fit: Callable) -> Callable:
    """Return ``course_lib.data.training.fit`` with few steps and a history of the usual length."""

    def fit_a_little(model, compute_loss, *, steps: int, **options) -> dict[str, list[float]]:
        few = min(steps, FEW_STEPS)
        history = fit(model, compute_loss, steps=few, **options)
        return {name: numbers + numbers[-1:] * (steps - few) for name, numbers in history.items()}

    return fit_a_little


def once_timed(source: str) -> str:
    """Return a cell's source whose functions repeat for one round unless they are told a number."""
    return re.sub(r"^(def .*\brounds=)\d+", r"\g<1>1", source, flags=re.MULTILINE)


def write_little(generate: Callable) -> Callable:
    """Return ``DecoderLM.generate`` with few tokens, the last of them again up to the length."""

    def generate_a_little(model, tokens, max_new_tokens: int, **options) -> torch.Tensor:
        few = min(max_new_tokens, FEW_STEPS)
        longer = generate(model, tokens, few, **options)
        return torch.cat((longer, longer[:, -1:].expand(-1, max_new_tokens - few)), dim=1)

    return generate_a_little


def shorten_writing() -> None:
    """Let every ``DecoderLM`` of this process from now on write only a little."""
    from course_lib import DecoderLM

    DecoderLM.generate = write_little(DecoderLM.generate)  # type: ignore[method-assign]


def started_once(run_processes: Callable) -> Callable:
    """Return ``run_processes`` that, asked for the same program again, returns what it printed."""
    printed: dict[tuple, str] = {}

    def run_once(arguments: Sequence[str], processes: int, **options) -> str:
        # A cell writes its program to another file each time.
        program = (processes, *(Path(a).read_text() if Path(a).is_file() else a for a in arguments))
        if program not in printed:
            printed[program] = run_processes(arguments, processes, **options)
        return printed[program]

    return run_once


def start_processes_once() -> None:
    """Let every ``run_processes`` of this process from now on start the same program once."""
    import course_lib.parallel

    course_lib.parallel.run_processes = started_once(course_lib.parallel.run_processes)


def shorten_training() -> None:
    """Let every ``fit`` of this process from now on be a short one."""
    import course_lib.data.training

    course_lib.data.training.fit = cut_short(course_lib.data.training.fit)
