"""Pictures of attention weights, all on one scale so that two of them can be compared.

Every map uses cividis (readable for colour-blind eyes and in grey) from 0 to 1. Masks are boolean
and True = may attend; a cell that the mask forbids is hatched grey, so it is never mistaken for a
weight that came out as 0.

In a notebook either call shows its picture once, at the end of the cell, whether its result is
assigned or not. ``attention_heatmap`` returns the Axes, which Jupyter also writes as a line of text
when the call is the last line of the cell: ``ax = attention_heatmap(...)`` leaves the picture only.
"""

import math
from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from course_lib.figures.colours import ink
from course_lib.figures.map_validation import checked_labels, checked_mask, checked_weights
from course_lib.study.heads import attention_entropy, maximum_entropy

QUERY_AXIS, KEY_AXIS = "query (looking)", "key (looked at)"


def attention_heatmap(
    weights,
    query_labels: Sequence | None = None,
    key_labels: Sequence | None = None,
    *,
    mask=None,
    title: str | None = None,
    untrained: bool = False,
    annotate: bool | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw one attention map: a row per query, a column per key.

    The title ends with the mean entropy of the rows and the most it could be, in nats: the mean
    log of the number of keys that a row may attend to. Rows that sum to 0 (nothing to attend to)
    are left out of both.

    Args:
        weights: (query_len, key_len), a tensor on any device or an array. Each row sums to 1, or
            to 0, within 0.01 (room for bfloat16).
        query_labels: query_len tokens; positions when it is None.
        key_labels: key_len tokens. When it is None the query_labels serve for a square map, and
            positions for any other.
        mask: boolean, broadcastable to (query_len, key_len). True = may attend.
        title: stands above the entropy.
        untrained: mark the map as one of weights that were never trained.
        annotate: write the values into the cells; when it is None, where the cells have room.
        ax: draw here, without a colour bar. When it is None, a new figure with a colour bar.

    Returns:
        The Axes; its figure is ``ax.figure``.

    Raises:
        TypeError: weights are no numbers, or the mask is not boolean.
        ValueError: weights of a wrong shape, outside 0..1, or whose rows do not sum to 1 or 0; a
            weight above 0 where the mask forbids it; a mask or a list of labels that does not fit.
    """
    weights = checked_weights(weights, ("query_len", "key_len"))
    allowed = checked_mask(mask, weights)
    query_labels, key_labels = checked_labels(query_labels, key_labels, *weights.shape)

    own_figure = ax is None
    ax = _new_axes(query_labels, key_labels) if ax is None else ax
    _draw_map(ax, weights, allowed, title, untrained, annotate)
    ax.set_xlabel(KEY_AXIS, color=ink("key", "light"))
    ax.set_ylabel(QUERY_AXIS, color=ink("query", "light"))
    if own_figure:
        ax.figure.colorbar(ax.collections[0], ax=ax, label="weight", aspect=30)
    _fit_text(weights.shape, [(ax, query_labels, key_labels)])
    return ax


def head_grid(
    weights,
    query_labels: Sequence | None = None,
    key_labels: Sequence | None = None,
    *,
    mask=None,
    titles: Sequence[str] | None = None,
    untrained: bool = False,
    columns: int = 4,
) -> Figure:
    """Draw the attention maps of all heads of one sequence side by side, with one colour bar.

    Each panel is a map as ``attention_heatmap`` draws it; the tokens stand on the outer panels.

    Args:
        weights: (heads, query_len, key_len), a tensor on any device or an array.
        query_labels: query_len tokens; positions when it is None.
        key_labels: key_len tokens; as in ``attention_heatmap``.
        mask: boolean, broadcastable to (heads, query_len, key_len). True = may attend.
        titles: one for each head; "head 0", "head 1", ... when it is None.
        untrained: mark every map as one of weights that were never trained.
        columns: the most panels in a row.

    Returns:
        The Figure.

    Raises:
        TypeError, ValueError: as in ``attention_heatmap``; also for weights with a batch
            dimension, a list of titles of the wrong length, and columns below 1.
    """
    weights = checked_weights(weights, ("heads", "query_len", "key_len"))
    allowed = checked_mask(mask, weights)
    heads, query_len, key_len = weights.shape
    query_labels, key_labels = checked_labels(query_labels, key_labels, query_len, key_len)
    if titles is None:
        titles = [f"head {head}" for head in range(heads)]
    elif len(titles) != heads:
        raise ValueError(f"titles must hold {heads} titles, one for each head, got {len(titles)}")
    if columns < 1:
        raise ValueError(f"columns must be at least 1, got {columns}")

    columns = min(columns, heads)
    rows = math.ceil(heads / columns)
    aspect = min(max(query_len / key_len, 0.3), 2.0)
    panel_height = 2.1 * aspect + (0.85 if untrained else 0.55)
    figure = plt.figure(
        FigureClass=HeadGridFigure,
        figsize=(
            max(2.1 * columns + 0.08 * max(map(len, query_labels)) + 0.8, 3.6),
            rows * panel_height + 0.08 * max(map(len, key_labels)) + 0.3,
        ),
        layout="compressed",
    )
    panels = []
    for head in range(heads):
        ax = figure.add_subplot(rows, columns, head + 1)
        _draw_map(ax, weights[head], allowed[head], titles[head], untrained, annotate=None)
        is_left, is_lowest = head % columns == 0, head + columns >= heads
        panels.append((ax, query_labels if is_left else [], key_labels if is_lowest else []))
    figure.supxlabel(KEY_AXIS, fontsize="medium", color=ink("key", "light"))
    figure.supylabel(QUERY_AXIS, fontsize="medium", color=ink("query", "light"))
    axes = [ax for ax, _, _ in panels]
    figure.colorbar(axes[0].collections[0], ax=axes, label="weight", aspect=30)
    _fit_text((query_len, key_len), panels)
    return figure


class HeadGridFigure(Figure):
    """A Figure that a notebook shows once.

    Jupyter draws each figure that pyplot holds open at the end of the cell, and would also draw a
    Figure that is the value of the cell's last line. Whichever comes first closes this one.
    """

    def _ipython_display_(self) -> None:
        plt.close(self)
        raise NotImplementedError  # IPython then draws the figure the usual way


def _entropy_text(weights: np.ndarray, allowed: np.ndarray) -> str:
    """Return the mean entropy of the rows and its maximum; empty rows are left out."""
    attends = weights.sum(axis=-1) > 0
    if not attends.any():
        return "nothing to attend to"
    entropy = attention_entropy(torch.from_numpy(weights[attends])).mean().item()
    most = maximum_entropy(torch.from_numpy(allowed[attends])).mean().item()
    return f"entropy {max(entropy, 0.0):.2f} of {most:.2f} nats"


def _new_axes(query_labels: list[str], key_labels: list[str]) -> Axes:
    """Return the Axes of a figure in which each cell has room, up to the width of a notebook."""
    cell = min(0.55, 7 / max(len(query_labels), len(key_labels)))  # inches
    width = cell * len(key_labels) + 0.08 * max(map(len, query_labels)) + 1.5
    height = cell * len(query_labels) + 0.08 * max(map(len, key_labels)) + 1.0
    figure = plt.figure(figsize=(max(width, 3.4), max(height, 2.2)), layout="compressed")
    return figure.add_subplot()


def _draw_map(
    ax: Axes,
    weights: np.ndarray,
    allowed: np.ndarray,
    title: str | None,
    untrained: bool,
    annotate: bool | None,
) -> None:
    """Draw cells, values, title and marks; the tick labels come last, in ``_fit_text``."""
    query_len, key_len = weights.shape
    if annotate is None:
        annotate = max(weights.shape) <= 10 and min(_cell_points(ax, query_len, key_len)) >= 20
    sns.heatmap(
        weights,
        mask=~allowed,  # seaborn's True = leave this cell out
        vmin=0,
        vmax=1,
        cmap="cividis",
        linecolor="white",
        linewidths=0.5 if max(weights.shape) <= 16 else 0,
        square=1 / 6 <= query_len / key_len <= 6,  # a thinner strip fills its axes
        annot=bool(annotate),
        fmt=".2f",
        cbar=False,
        xticklabels=False,
        yticklabels=False,
        ax=ax,
    )
    for text in ax.texts:
        text.set_color("white" if float(text.get_text()) < 0.5 else "black")
        text.set(gid="weight", in_layout=False)  # inside its cell, it takes no room
    if not allowed.all():  # the background shows wherever no cell is drawn
        ax.patch.set(facecolor="0.93", edgecolor="0.65", hatch="////", linewidth=0)
    entropy = _entropy_text(weights, allowed)
    ax.set_title(
        entropy if title is None else f"{title}\n{entropy}",
        fontsize="medium",
        pad=24 if untrained else 6,
        parse_math=False,  # a "$" is a sign like any other
    )
    if untrained:
        ax.annotate(
            "untrained",
            xy=(0.5, 1),
            xycoords="axes fraction",
            xytext=(0, 7),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=8,
            fontweight="bold",
            color="white",
            bbox={"boxstyle": "round,pad=0.3", "facecolor": "#b3261e", "edgecolor": "none"},
        )


def _cell_points(ax: Axes, query_len: int, key_len: int) -> tuple[float, float]:
    """Return height and width of a cell in points (1/72 inch), as the axes stand now."""
    box = ax.get_window_extent()
    points = 72 / ax.figure.dpi
    return box.height * points / query_len, box.width * points / key_len


def _fit_text(shape: tuple[int, ...], panels: list[tuple[Axes, list[str], list[str]]]) -> None:
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
            cell_height, cell_width = _cell_points(ax, *shape)
            _label(ax.yaxis, query_labels, cell_height)
            _label(ax.xaxis, key_labels, cell_width)
            widest = max((t.get_window_extent().width for t in ax.get_xticklabels()), default=0)
            is_tight = widest * 72 / figure.dpi > 0.9 * cell_width
            ax.tick_params(axis="x", rotation=90 if is_tight else 0)
            for text in ax.texts:
                if text.get_gid() == "weight":
                    text.set_fontsize(min(9, 0.36 * cell_width))


def _label(axis, labels: list[str], cell: float) -> None:
    """Label the cells, or every second, third ... where they are narrower than readable text."""
    size = min(10.0, max(6.0, 0.75 * cell))
    step = math.ceil(1.2 * size / cell)
    shown = labels[::step]
    centres = [position + 0.5 for position in range(0, len(labels), step)]
    # A token is text as it stands: "$x_1$" is no formula.
    axis.set_ticks(centres, shown, fontsize=size, rotation=0, parse_math=False)
