"""One plain training loop for the small models of the course."""

import math
from collections.abc import Callable

import torch
from torch import nn

from course_lib.validation.layer_inputs import (
    check_flags,
    check_not_negative,
    check_number,
    check_positive,
)

Loss = torch.Tensor | tuple[torch.Tensor, dict[str, float]]


def fit(
    model: nn.Module,
    compute_loss: Callable[[nn.Module, torch.Generator], Loss],
    *,
    steps: int,
    lr: float = 3e-3,
    weight_decay: float = 0.0,
    betas: tuple[float, float] = (0.9, 0.999),
    warmup: float | None = 0.1,
    max_grad_norm: float = 1.0,
    seed: int = 0,
    progress: bool = True,
) -> dict[str, list[float]]:
    """Train the model with AdamW, and leave it in eval mode.

    Args:
        model: trained in place.
        compute_loss: draws a batch with the generator it is given (on the CPU) and returns the
            loss to reduce, a scalar, or the loss and a dictionary of numbers to record.
        steps: number of updates.
        lr: the highest learning rate.
        weight_decay: of AdamW; with 0 it is Adam.
        betas: of AdamW.
        warmup: share of the steps in which the rate rises to ``lr``, after which it falls to
            almost 0 (one cycle, Smith and Topin 2019); None keeps the rate at ``lr``.
        max_grad_norm: longer gradients are shortened to this length.
        seed: of the generator and of dropout; the global random state is as before afterwards.
        progress: show a progress bar.

    Returns:
        One number per step for each of "loss", "gradient_norm" (before shortening),
        "learning_rate" and what ``compute_loss`` recorded.

    Raises:
        TypeError, ValueError: ``steps`` is not a positive integer, or a rate is no finite number.
        FloatingPointError: the loss is not finite.
    """
    from tqdm.auto import tqdm

    check_positive(steps=steps)
    check_number(lr=lr, weight_decay=weight_decay)
    if max_grad_norm != math.inf:  # lesson 02 switches the shortening off
        check_number(max_grad_norm=max_grad_norm)
    if warmup is not None:
        check_number(warmup=warmup)
    check_flags(progress=progress)
    check_not_negative(seed=seed)
    generator = torch.Generator().manual_seed(int(seed))
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=weight_decay, betas=betas)
    scheduler = None
    if warmup is not None:
        scheduler = torch.optim.lr_scheduler.OneCycleLR(
            optimizer,
            max_lr=lr,
            total_steps=int(steps),
            pct_start=float(warmup),
            cycle_momentum=False,
        )
    history: dict[str, list[float]] = {}
    model.train()
    with torch.random.fork_rng(), tqdm(total=steps, disable=not progress, leave=False) as bar:
        torch.manual_seed(int(seed))
        for step in range(steps):
            result = compute_loss(model, generator)
            loss, recorded = result if isinstance(result, tuple) else (result, {})
            if not loss.isfinite():
                raise FloatingPointError(f"loss must be finite, got {loss.item()} at step {step}")
            optimizer.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), max_grad_norm)
            numbers = {
                "loss": loss.item(),
                "gradient_norm": norm.item(),
                "learning_rate": optimizer.param_groups[0]["lr"],
            }
            optimizer.step()
            if scheduler is not None:
                scheduler.step()
            for name, number in (numbers | recorded).items():
                history.setdefault(name, []).append(float(number))
            bar.set_postfix(loss=f"{numbers['loss']:.3f}", refresh=False)
            bar.update()
    model.eval()
    return history
