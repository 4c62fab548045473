"""The words at an attention map: labels of its tokens, weights in its cells, titles and notes.

What can be written depends on how large the cells are, so ``fit_text`` comes last.
"""

import math

import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from course_lib.figures.style import AXIS, LABEL, NOTE, QUIET
from course_lib.study.heads import attention_entropy, maximum_entropy

WORTH_WRITING = 0.2  # smaller weights stay without their number
ROUND_STEPS = (1, 2, 5, *range(10, 10_000, 10))  # from one labelled position to the next
SMALLEST = 7.5  # points: no text is smaller
WARNING = "#b3261e"


def entropy_text(weights: np.ndarray, allowed: np.ndarray) -> str:
    """Return the mean entropy of the rows and its maximum; empty rows are left out."""
    attends = weights.sum(axis=-1) > 0
    if not attends.any():
        return "nothing to attend to"
    entropy = attention_entropy(torch.from_numpy(weights[attends])).mean().item()
    most = maximum_entropy(torch.from_numpy(allowed[attends])).mean().item()
    return f"entropy {max(entropy, 0.0):.2f} of {most:.2f} nats"


def write_title(ax: Axes, title: str | None, note: str | None, untrained: bool) -> None:
    """Write above a map, from below: "untrained" on red, a small note, and the title."""
    height = 4.0  # points above the map
    if untrained:
        box = {"boxstyle": "round,pad=0.25", "facecolor": WARNING, "edgecolor": "none"}
        _write_above(ax, "untrained", height + 1, gid="warning", color="white", bbox=box)
        height += NOTE + 7
    if note:
        _write_above(ax, note, height, gid="note", color=QUIET)
        height += NOTE + 3
    if title:
        is_narrow = ax.get_window_extent().width * 72 / ax.figure.dpi < 80
        words = ax.set_title(title, loc="left", pad=height, fontsize=NOTE if is_narrow else AXIS)
        words.set(fontweight="bold", parse_math=False)  # a "$" is a sign like any other


def _write_above(ax: Axes, words: str, points: float, **style) -> None:
    style |= {"fontsize": NOTE, "xycoords": "axes fraction", "textcoords": "offset points"}
    ax.annotate(words, xy=(0, 1), xytext=(3 if "bbox" in style else 0, points), **style)


def write_weights(ax: Axes, weights: np.ndarray, allowed: np.ndarray, smallest: float) -> None:
    """Write the weights from ``smallest`` on into the cells that may hold one."""
    for query, key in np.argwhere(allowed & (weights >= smallest)):
        weight = weights[query, key]
        text = ax.text(key + 0.5, query + 0.5, f"{weight:.2f}", ha="center", va="center")
        text.set(gid="weight", color="white" if weight > 0.55 else "black")
        text.set_in_layout(False)  # inside its cell, it takes no room


def cell_points(ax: Axes, query_len: int, key_len: int) -> tuple[float, float]:
    """Return height and width of a cell in points (1/72 inch), as the axes stand now."""
    box = ax.get_window_extent()
    points = 72 / ax.figure.dpi
    return box.height * points / query_len, box.width * points / key_len


def fit_text(shape: tuple[int, ...], panels: list[tuple[Axes, list[str], list[str]]]) -> None:
    """Put the tick labels on, and size all text by the cells so that nothing overlaps.

    The labels take room from the cells, so the second round fits the cells of the first.
    ``shape`` is (query_len, key_len) of each panel; all panels are in one figure.
    """
    figure = panels[0][0].figure
    while isinstance(figure, SubFigure):
        figure = figure.figure
    layout = figure.get_layout_engine()
    for _ in range(2):
        if layout is not None:
            layout.execute(figure)
        for ax, query_labels, key_labels in panels:
            ax.apply_aspect()
            cell_height, cell_width = cell_points(ax, *shape)
            _label(ax.yaxis, query_labels, cell_height)
            room = _label(ax.xaxis, key_labels, cell_width)
            widest = max((t.get_window_extent().width for t in ax.get_xticklabels()), default=0)
            is_tight = widest * 72 / figure.dpi > 0.9 * room
            ax.tick_params(axis="x", rotation=90 if is_tight else 0)
            for text in ax.texts:
                if text.get_gid() == "weight":
                    text.set_fontsize(min(LABEL, 0.36 * cell_width))


def _label(axis, labels: list[str], cell: float) -> float:
    """Label the cells, or some where they are narrower than text; return each label's points."""
    size = min(LABEL, max(SMALLEST, 0.8 * cell))
    step = math.ceil(1.2 * size / cell)
    if labels == [str(position) for position in range(len(labels))]:
        step = next(round_step for round_step in ROUND_STEPS if round_step * cell >= 1.6 * LABEL)
        size = LABEL
    shown = labels[::step]
    centres = [position + 0.5 for position in range(0, len(labels), step)]
    # A token is text as it stands: "$x_1$" is no formula.
    axis.set_ticks(centres, shown, fontsize=size, rotation=0, parse_math=False)
    return step * cell


def name_the_mask(ax: Axes, allowed: np.ndarray) -> bool:
    """Write "masked" into a corner that the mask hides, where one has the room."""
    query_len, key_len = allowed.shape
    cell_height, cell_width = cell_points(ax, query_len, key_len)
    rows, columns = math.ceil((NOTE + 3) / cell_height), math.ceil(4.6 * NOTE / cell_width)
    for is_low, is_left in ((False, False), (False, True), (True, False), (True, True)):
        corner = allowed[-rows:] if is_low else allowed[:rows]
        corner = corner[:, :columns] if is_left else corner[:, -columns:]
        if corner.any() or rows > query_len or columns > key_len:
            continue
        y = 0.5 * rows / query_len if is_low else 1 - 0.5 * rows / query_len
        x = 0.5 * columns / key_len if is_left else 1 - 0.5 * columns / key_len
        text = ax.text(x, y, "masked", transform=ax.transAxes, va="center")
        text.set(ha="center", fontsize=NOTE, color=QUIET, gid="masked")
        text.set_in_layout(False)
        return True
    return False
