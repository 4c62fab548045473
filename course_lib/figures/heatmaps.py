"""Pictures of attention weights, all on one scale so that two of them can be compared, and
``effect_grid`` of what a model loses without each head.

A weight of 0 is white as the page, 0.5 gold, and 1 its darkest shade (``colours.WEIGHTS``). Masks
are boolean and True = may attend. What a mask forbids is not drawn: a thin line runs along the
edge of the cells that may be attended to, so a weight that came out as 0 lies inside of it.

In a notebook either call shows its picture once, at the end of the cell, whether its result is
assigned or not. ``attention_heatmap`` returns the Axes, which Jupyter also writes as a line of text
when the call is the last line of the cell: ``ax = attention_heatmap(...)`` leaves the picture only.
"""

import math
from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from course_lib.figures import map_text
from course_lib.figures.colours import ink
from course_lib.figures.style import AXIS, COLUMN, GRID, NOTE, course_style
from course_lib.validation import maps
from course_lib.validation.labels import listed
from course_lib.validation.layer_inputs import check_flags, check_positive

QUERY_AXIS, KEY_AXIS = "query (looking)", "key (looked at)"
EDGE = "#8c8c8c"


def attention_heatmap(
    weights,
    query_labels: Sequence | None = None,
    key_labels: Sequence | None = None,
    *,
    mask=None,
    title: str | None = None,
    untrained: bool = False,
    annotate: bool | None = None,
    entropy: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw one attention map: a row per query, a column per key.

    A small note gives the mean entropy of the rows and the most it could be, in nats: the mean
    log of the number of keys that a row may attend to. Rows that sum to 0 (nothing to attend to)
    are left out of both.

    Args:
        weights: (query_len, key_len), a tensor on any device, an array or lists. Each row sums to
            1, or to 0, within 1/256 (room for bfloat16).
        query_labels: query_len tokens; positions when it is None. Of one with more than 24
            letters, the beginning and the end are shown.
        key_labels: key_len tokens. When it is None the query_labels serve for a square map, and
            positions for any other.
        mask: boolean, broadcastable to (query_len, key_len). True = may attend.
        title: stands above the map.
        untrained: mark the map as one of weights that were never trained.
        annotate: True writes all weights into the cells, False none; None those of 0.2 and more,
            where the cells have room.
        entropy: write the note.
        ax: draw here, without a colour bar. When it is None, a new figure with a colour bar.

    Returns:
        The Axes; its figure is ``ax.figure``.

    Raises:
        TypeError: weights are no real numbers, the mask is not boolean, labels are a text or a
            set, or untrained, annotate or entropy is no boolean.
        ValueError: weights of a wrong shape, outside 0..1, or whose rows do not sum to 1 or 0; a
            weight above 0 where the mask forbids it; masked cells (NumPy's); a mask or a list of
            labels that does not fit.
    """
    check_flags(untrained=untrained, entropy=entropy)
    if annotate is not None:
        check_flags(annotate=annotate)
    weights = maps.checked_weights(weights, ("query_len", "key_len"))
    allowed = maps.checked_mask(mask, weights)
    query_labels, key_labels = maps.checked_labels(query_labels, key_labels, *weights.shape)

    with course_style():
        own_figure = ax is None
        ax = _new_axes(query_labels, key_labels) if ax is None else ax
        note = map_text.entropy_text(weights, allowed) if entropy else None
        _draw_map(ax, weights, allowed)
        map_text.write_title(ax, title, note, untrained)
        if annotate is None:
            has_room = (
                max(weights.shape) <= 10 and min(map_text.cell_points(ax, *weights.shape)) >= 20
            )
            smallest = map_text.WORTH_WRITING if has_room else math.inf
        else:
            smallest = 0.0 if annotate else math.inf
        map_text.write_weights(ax, weights, allowed, smallest)
        ax.set_xlabel(KEY_AXIS, color=ink("key", "light"), fontsize=AXIS)
        ax.set_ylabel(QUERY_AXIS, color=ink("query", "light"), fontsize=AXIS)
        if own_figure:
            _colour_bar(ax.figure, [ax])
        map_text.fit_text(weights.shape, [(ax, query_labels, key_labels)])
        map_text.name_the_mask(ax, allowed)
    return ax


def head_grid(
    weights,
    query_labels: Sequence | None = None,
    key_labels: Sequence | None = None,
    *,
    mask=None,
    titles: Sequence[str] | None = None,
    untrained: bool = False,
    columns: int | None = None,
) -> Figure:
    """Draw the attention maps of all heads of one sequence side by side, with one colour bar.

    Each panel is a map as ``attention_heatmap`` draws it; the tokens stand on the outer panels.

    Args:
        weights: (heads, query_len, key_len), a tensor on any device, an array, or a list of maps.
        query_labels: query_len tokens; positions when it is None.
        key_labels: key_len tokens; as in ``attention_heatmap``.
        mask: boolean, broadcastable to (heads, query_len, key_len). True = may attend.
        titles: one for each head; "head 0", "head 1", ... when it is None.
        untrained: mark every map as one of weights that were never trained.
        columns: the most panels in a row; None chooses: 4, and 8 for more than 16 heads.

    Returns:
        The Figure.

    Raises:
        TypeError, ValueError: as ``attention_heatmap``; also for maps of unequal shape, titles that
            are no list or of the wrong length, and columns that are no positive integer.
    """
    check_flags(untrained=untrained)
    weights = maps.checked_weights(weights, ("heads", "query_len", "key_len"))
    allowed = maps.checked_mask(mask, weights)
    heads, query_len, key_len = weights.shape
    query_labels, key_labels = maps.checked_labels(query_labels, key_labels, query_len, key_len)
    titles = [f"head {i}" for i in range(heads)] if titles is None else listed("titles", titles)
    if len(titles) != heads:
        raise ValueError(f"titles must hold {heads} titles, one for each head, got {len(titles)}")
    if columns is None:
        columns = 4 if heads <= 16 else 8
    check_positive(columns=columns)

    with course_style():
        columns = min(columns, heads)
        above = 0.28 + 0.22 * untrained
        figure = _new_grid(heads, columns, above, query_labels, key_labels)
        panels = []
        for head, title in enumerate(titles):
            ax = figure.add_subplot(math.ceil(heads / columns), columns, head + 1)
            _draw_map(ax, weights[head], allowed[head])
            map_text.write_title(ax, title, None, untrained)
            is_left, is_lowest = head % columns == 0, head + columns >= heads
            panels.append((ax, query_labels if is_left else [], key_labels if is_lowest else []))
        below = figure.supxlabel(KEY_AXIS, fontsize=AXIS, color=ink("key", "light"))
        figure.supylabel(QUERY_AXIS, fontsize=AXIS, color=ink("query", "light"))
        _colour_bar(figure, [ax for ax, _, _ in panels])
        map_text.fit_text((query_len, key_len), panels)
        # Take away the height that the panels did not need.
        layout = figure.get_layout_engine()
        assert layout is not None  # _new_grid's
        layout.execute(figure)
        boxes = [box for ax in figure.axes if (box := ax.get_tightbbox())]
        low, high = min(box.y0 for box in boxes), max(box.y1 for box in boxes)
        spare = (low - below.get_window_extent().y1 + figure.bbox.y1 - high) / figure.dpi - 0.15
        figure.set_figheight(figure.get_figheight() - max(spare, 0))
        if not allowed.all():
            layout.execute(figure)
            for (ax, _, _), may_attend in zip(panels, allowed, strict=True):
                ax.apply_aspect()
                if map_text.name_the_mask(ax, may_attend):
                    break  # the others look the same
    return figure


class HeadGridFigure(Figure):
    """A Figure that a notebook shows once.

    Jupyter draws each figure that pyplot holds open at the end of the cell, and would also draw a
    Figure that is the value of the cell's last line. Whichever comes first closes this one.
    """

    def __repr__(self) -> str:  # without its size, which fits the typeface
        return f"<HeadGridFigure with {len(self.axes)} Axes>"

    def _ipython_display_(self) -> None:
        plt.close(self)
        raise NotImplementedError  # IPython then draws the figure the usual way


def effect_grid(effects: Mapping[tuple[int, int], float]) -> Axes:
    """Draw a cell for each head: a row per layer, a column per head.

    White is no change, purple a fall and green a rise; the largest change has the full colour. In
    a small grid each cell also has its number. A layer with fewer heads ends earlier.

    Args:
        effects: for each head (layer, head), a number; ``head_effects(...).effects``.

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
        height = 1.0 + 0.24 * len(layers)
        ax = plt.figure(figsize=(COLUMN, height), layout="compressed").add_subplot()
        cells = np.ma.masked_invalid(grid)
        drawn = ax.pcolormesh(cells, vmin=-most, vmax=most, cmap="course_effects")
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


def _new_axes(query_labels: list[str], key_labels: list[str]) -> Axes:
    """Return the Axes of a figure in which each cell has room, up to the width of a notebook."""
    margin = 0.08 * max(map(len, query_labels)) + 1.1
    cell = min(0.46, (COLUMN - margin) / max(len(query_labels), len(key_labels)))  # inches
    width = cell * len(key_labels) + margin
    height = cell * len(query_labels) + 0.08 * max(map(len, key_labels)) + 0.9
    figure = plt.figure(figsize=(max(width, 3.2), max(height, 2.0)), layout="compressed")
    return figure.add_subplot()


def _new_grid(
    heads: int, columns: int, above: float, query_labels: list[str], key_labels: list[str]
) -> Figure:
    """Return an empty figure as wide as a notebook's column, or less for a few heads."""
    query_len, key_len = len(query_labels), len(key_labels)
    beside = 0.07 * max(map(len, query_labels)) + 0.9
    panel = min((COLUMN - beside) / columns, max(2.3, 0.23 * key_len))  # a word beside each cell
    aspect = min(max(query_len / key_len, 0.3), 2.0)
    height = math.ceil(heads / columns) * (panel * aspect + above)
    size = max(panel * columns + beside, 3.2), height + 0.07 * max(map(len, key_labels)) + 0.4
    return plt.figure(FigureClass=HeadGridFigure, figsize=size, layout="compressed")


def _draw_map(ax: Axes, weights: np.ndarray, allowed: np.ndarray) -> None:
    """Draw the cells that may be attended to, and the line around them."""
    query_len, key_len = weights.shape
    ax.pcolormesh(np.ma.masked_array(weights, ~allowed), vmin=0, vmax=1, cmap="course_weights")
    if max(weights.shape) <= 32:
        ax.add_collection(LineCollection(_lines(allowed, np.logical_and), colors=GRID, lw=0.6))
    edges = LineCollection(_lines(allowed, np.not_equal), colors=EDGE, lw=0.8, clip_on=False)
    ax.add_collection(edges)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    ax.set(xlim=(0, key_len), ylim=(query_len, 0), facecolor="none")
    if 1 / 6 <= query_len / key_len <= 6:  # a thinner strip fills its axes
        ax.set_aspect("equal")


def _lines(allowed: np.ndarray, between: np.ufunc) -> list[list[tuple[int, int]]]:
    """Return the lines (x, y) between cells: ``logical_and``: inside of what may be attended to;
    ``not_equal``: along its edge."""
    framed = np.pad(allowed, 1)  # False around
    upright = np.argwhere(between(framed[1:-1, 1:], framed[1:-1, :-1]))
    level = np.argwhere(between(framed[1:, 1:-1], framed[:-1, 1:-1]))
    return [[(x, y), (x, y + 1)] for y, x in upright] + [[(x, y), (x + 1, y)] for y, x in level]


def _colour_bar(figure, axes: list[Axes]) -> None:
    """Draw one narrow colour bar for these maps."""
    bar = figure.colorbar(axes[0].collections[0], ax=axes, aspect=30, shrink=0.8)
    bar.outline.set_visible(False)
    bar.set_ticks([0, 0.5, 1])
    bar.ax.tick_params(labelsize=NOTE, length=0)
    bar.set_label("weight", fontsize=NOTE)
