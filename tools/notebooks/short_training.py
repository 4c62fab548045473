"""Cut the training of a notebook short, where what is tested is not what comes out of it.

The rehearsal on another device and the runs in JupyterLab do so. nbval trains in full, and
compares.
"""

from collections.abc import Callable

FEW_STEPS = 3


def cut_short(fit: Callable) -> Callable:
    """Return ``course_lib.data.training.fit`` with few steps and a history of the usual length."""

    def fit_a_little(model, compute_loss, *, steps: int, **options) -> dict[str, list[float]]:
        few = min(steps, FEW_STEPS)
        history = fit(model, compute_loss, steps=few, **options)
        return {name: numbers + numbers[-1:] * (steps - few) for name, numbers in history.items()}

    return fit_a_little


def shorten_training() -> None:
    """Let every ``fit`` of this process from now on be a short one."""
    import course_lib.data.training

    course_lib.data.training.fit = cut_short(course_lib.data.training.fit)
