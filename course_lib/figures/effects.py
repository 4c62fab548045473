"""The grid of a model's heads: how much a measurement changes without each."""

from collections.abc import Mapping

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from course_lib.figures.style import AXIS, COLUMN, NOTE, course_style


def effect_grid(effects: Mapping[tuple[int, int], float], *, ax: Axes | None = None) -> Axes:
    """Draw a cell for each head: a row per layer, a column per head.

    White is no change, purple a fall and orange a rise; the largest change has the full colour. In
    a small grid each cell also has its number. A layer with fewer heads ends earlier.

    Args:
        effects: for each head (layer, head), a number; ``head_effects(...).effects``.
        ax: where to draw; a new figure when it is None.

    Raises:
        ValueError: there is no head.
    """
    if not effects:
        raise ValueError("effects must hold at least one head, got none")
    layers = sorted({layer for layer, _ in effects})
    grid = np.full((len(layers), 1 + max(head for _, head in effects)), np.nan)
    for (layer, head), effect in effects.items():
        grid[layers.index(layer), head] = effect
    most = np.nanmax(np.abs(grid)) or 1.0
    with course_style():
        if ax is None:
            height = 1.0 + 0.24 * len(layers)
            ax = plt.figure(figsize=(COLUMN, height), layout="compressed").add_subplot()
        drawn = ax.pcolormesh(np.ma.masked_invalid(grid), vmin=-most, vmax=most, cmap="PuOr_r")
        ax.set(xlabel="head", ylabel="layer")
        ax.set_xticks(np.arange(grid.shape[1]) + 0.5, map(str, range(grid.shape[1])), fontsize=NOTE)
        ax.set_yticks(np.arange(len(layers)) + 0.5, map(str, layers), fontsize=NOTE)
        ax.invert_yaxis()
        ax.grid(visible=False)
        if grid.size <= 150:
            for (row, head), effect in np.ndenumerate(grid):
                if np.isfinite(effect):
                    colour = "white" if abs(effect) > 0.6 * most else "#262626"
                    text = ax.text(head + 0.5, row + 0.5, f"{effect:.2g}", color=colour)
                    text.set(ha="center", va="center", fontsize=NOTE)
        bar = ax.figure.colorbar(drawn, ax=ax, shrink=0.8)
        bar.set_label("change without the head", fontsize=AXIS)
        bar.outline.set_visible(False)
    return ax
