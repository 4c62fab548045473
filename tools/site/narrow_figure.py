"""The same figure once more for a phone: 360 pixels wide, its panels below each other.

The site shows the one that fits. The figure is changed in a copy: no text is smaller than 10
pixels, what is too long for its line is broken, and tick labels and legends that have no room go
where there is some.
"""

import math
import pickle
import textwrap
from typing import Any, Literal

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.category import StrCategoryFormatter
from matplotlib.colorbar import Colorbar
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.legend import Legend
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.ticker import FixedFormatter, FuncFormatter, LogLocator, MaxNLocator
from matplotlib.transforms import Bbox

WIDTH = 360  # pixels of a page
PIXELS = 96  # of a page in an inch
SMALLEST = 10 * 72 / PIXELS  # points: no text is smaller
LOWEST, HIGHEST = 1.5, 3.0  # inches: a panel that is no map
LABELS = 0.55  # inches that ticks and labels of a panel take, as a guess
LINE = 0.16  # inches: a row of tick labels
BELOW: Any = {"location": "bottom", "aspect": 40, "shrink": 0.8}  # of a colour bar
WORDS = FixedFormatter | FuncFormatter | StrCategoryFormatter  # of ticks that are no numbers

Inches = dict[Axes, tuple[float, float]]


def for_phone(figure: Figure) -> Figure:
    """Return a copy of the figure that fits a phone."""
    figure.draw_without_rendering()
    boxes = [ax.get_window_extent() for ax in _panels(figure)]
    sizes = [(box.width / figure.dpi, box.height / figure.dpi) for box in boxes]
    narrow: Figure = pickle.loads(pickle.dumps(figure))  # a deep copy would share its canvas
    plt.close(narrow)  # a notebook shows what pyplot holds
    narrow.set_dpi(PIXELS)
    panels = dict(zip(_panels(narrow), sizes, strict=True))
    columns = _stack(narrow, panels)
    _lay_colour_bars(narrow)
    for text in narrow.findobj(Text):
        if text.get_visible() and text.get_text().strip():
            text.set_fontsize(max(text.get_fontsize(), SMALLEST))
    for ax in panels:
        _lift_words(ax)
    _move_legends(narrow)
    _set_size(narrow, panels, columns)
    for _ in range(2):  # what is broken needs room, and then something else has less
        narrow.draw_without_rendering()
        _break_lines(narrow)
        _thin_ticks(narrow)
    _set_size(narrow, panels, columns)
    _take_away_spare_height(narrow)
    over = narrow.get_tightbbox().width - WIDTH / PIXELS + 0.08
    if over > 0:  # what no layout knows of stands beyond the edge
        narrow.set_figwidth(narrow.get_figwidth() - over)
        narrow.draw_without_rendering()
        _thin_ticks(narrow)
        narrow.draw_without_rendering()
    for ax in filter(_is_map, panels):
        _fit_cells(ax)
    return narrow


def _panels(figure: Figure) -> list[Axes]:
    """The axes with something in them, without colour bars."""
    return [ax for ax in figure.axes if ax.get_label() != "<colorbar>" and ax.get_visible()]


def _is_map(ax: Axes) -> bool:
    return ax.get_aspect() == 1 or bool(ax.images)


def _fits(ax: Axes, size: tuple[float, float], columns: int) -> bool:
    """Whether a panel is a map whose title and names of rows have room with so many in a row."""
    width, height = size
    room = (WIDTH / PIXELS - 1.5 * LABELS) / columns
    has_room = room * height / width > SMALLEST / 72 * len(_names(ax, "y"))
    return _is_map(ax) and has_room and len(ax.get_title("left")) * SMALLEST / 72 < 1.6 * room


def _names(ax: Axes, side: Literal["x", "y"]) -> list[str]:
    """What stands at the ticks of a side."""
    labels = getattr(ax, f"get_{side}ticklabels")()
    return [name for label in labels if (name := label.get_text())]


def _stack(figure: Figure, panels: Inches) -> int:
    """Put panels below each other, small maps two or, as they were, three in a row; say which."""
    specs = {ax: spec.get_topmost_subplotspec() for ax in panels if (spec := ax.get_subplotspec())}
    grids = {spec.get_gridspec() for spec in specs.values()}
    if len(specs) < len(panels) or len(grids) != 1 or next(iter(grids)).ncols == 1:
        return 1
    few = [n for n in (2, 3) if n < len(panels) and n in (2, next(iter(grids)).ncols)]
    columns = max((n for n in few if all(_fits(*panel, n) for panel in panels.items())), default=1)
    ordered = sorted(specs, key=lambda ax: (specs[ax].rowspan.start, specs[ax].colspan.start))
    rows = {ax: specs[ax].rowspan.start for ax in ordered}
    first = {row: next(ax for ax in ordered if rows[ax] == row) for row in rows.values()}
    last = [ax for ax in ordered if rows[ax] == max(rows.values())]
    is_shared = columns > 1 or not any(_names(ordered[0], "x"))
    grid = GridSpec(math.ceil(len(ordered) / columns), columns, figure=figure)
    for i, ax in enumerate(ordered):
        ax.set_subplotspec(grid[i])
        if i % columns == 0:
            _label_side(ax, first[rows[ax]], "y")
        else:
            ax.set_ylabel("")
            ax.tick_params(labelleft=False)
        if i + columns >= len(ordered):
            below = [other for other in last if specs[other].colspan == specs[ax].colspan]
            _label_side(ax, (below or last)[0], "x")
        elif is_shared:
            ax.tick_params(labelbottom=False)
    for text in [text for text in figure.texts if text.get_text() == figure.get_supxlabel()]:
        for ax in ordered[-2:-1] if columns == 3 else ordered[-columns:]:  # above a colour bar
            ax.set_xlabel(text.get_text(), color=text.get_color(), fontsize=text.get_fontsize())
        figure.supxlabel("")
    return columns


def _lift_words(ax: Axes) -> None:
    """Give dark words in a panel an edge of light: here they reach over more cells and lines."""
    for text in ax.texts:
        is_dark = sum(to_rgb(text.get_color())) < 2 and text.get_bbox_patch() is None
        if is_dark and text.get_gid() != "weight":  # which stays in its cell
            text.set_path_effects([withStroke(linewidth=2.5, foreground="white", alpha=0.85)])


def _lay_colour_bars(figure: Figure) -> None:
    """Put colour bars below their panels: a narrow page has no room beside them."""
    for bar_axes in [ax for ax in figure.axes if ax.get_label() == "<colorbar>"]:
        # No public name leads from axes to the colour bar in them.
        bar: Colorbar = bar_axes._colorbar  # type: ignore[attr-defined]
        parents: list[Axes] = bar_axes._colorbar_info["parents"]  # type: ignore[attr-defined]
        label, ticks = bar_axes.get_ylabel(), bar.get_ticks()
        size = bar_axes.yaxis.label.get_fontsize()
        bar.remove()
        below = figure.colorbar(bar.mappable, ax=parents, pad=0.015, **BELOW)
        below.outline.set_visible(False)
        below.set_ticks(ticks.tolist())
        below.set_label(label, fontsize=size)
        below.ax.tick_params(labelsize=size, length=0)


def _fit_cells(ax: Axes) -> None:
    """Fit the words of a map to its cells, which are smaller here: the names of its rows, and its
    weights, which lose the 0 before the point where they would still fill their cells."""
    frame = ax.get_window_extent()
    cell = frame.width / abs(ax.get_xlim()[1] - ax.get_xlim()[0])
    for label in ax.get_yticklabels():
        size = 0.8 * 72 / PIXELS * frame.height / max(len(_names(ax, "y")), 1)
        label.set_fontsize(max(min(float(label.get_fontsize()), size), SMALLEST))
    for text in ax.texts:
        if text.get_gid() == "weight" and text.get_window_extent().width > 0.8 * cell:
            text.set_fontsize(SMALLEST)
            if text.get_window_extent().width > 0.8 * cell:
                text.set_text(text.get_text().removeprefix("0"))
        elif text.get_gid() == "masked" and text.get_window_extent().x1 > frame.x1:
            text.set(x=1, ha="right", fontsize=SMALLEST)


def _take_away_spare_height(figure: Figure) -> None:
    """Take away the height that the rows of maps, which keep their shape, did not need."""
    figure.draw_without_rendering()
    for _ in range(4 * all(map(_is_map, _panels(figure)))):  # the layout hands some of it on
        spare: dict[float, float] = {}  # of each row, by its place: what its highest panel leaves
        for ax in _panels(figure):
            slot, used = ax.get_position(original=True), ax.get_position()
            left = slot.height - used.height
            spare[round(slot.y0, 2)] = min(spare.get(round(slot.y0, 2), left), left)
        figure.set_figheight(figure.get_figheight() * (1 - sum(spare.values())))
        figure.draw_without_rendering()


def _label_side(ax: Axes, like: Axes, side: Literal["x", "y"]) -> None:
    """Give a panel that now stands at the edge the ticks and the label of the one that did."""
    axis, model = getattr(ax, f"{side}axis"), getattr(like, f"{side}axis")
    if ax is like:
        return
    ax.tick_params(axis=side, **{"labelleft" if side == "y" else "labelbottom": True})
    if not axis.get_label_text():
        axis.set_label_text(model.get_label_text(), color=model.label.get_color())
    words = [label.get_text() for label in model.get_ticklabels()]
    if any(words):
        like_these = model.get_ticklabels()[0]
        if not any(label.get_text() for label in axis.get_ticklabels()):
            axis.set_ticks(model.get_ticklocs(), words)
        for label in axis.get_ticklabels():
            label.set(rotation=like_these.get_rotation(), fontsize=like_these.get_fontsize())


def _set_size(figure: Figure, panels: Inches, columns: int) -> None:
    """Give the figure the height that its rows need."""
    room = WIDTH / PIXELS
    height = 0.1
    if figure.get_suptitle():
        height += 0.2 * (1 + figure.get_suptitle().count("\n"))
    height += 0.25 * bool(figure.get_supxlabel())
    height += 0.6 * any(ax.get_label() == "<colorbar>" for ax in figure.axes)
    for legend in figure.legends:
        height += legend.get_window_extent().height / figure.dpi + 0.05
    each = [_height(ax, size, room / columns) for ax, size in panels.items()]
    height += sum(max(each[i : i + columns]) for i in range(0, len(each), columns))
    figure.set_size_inches(room, height)


def _height(ax: Axes, size: tuple[float, float], room: float) -> float:
    """The inches of a panel with its title and labels in a column of so many."""
    width, height = size
    titles = [ax.get_title(loc) for loc in ("left", "center")]
    title = max(words.count("\n") + bool(words) for words in titles)
    below = ax.xaxis.get_tightbbox()
    labels = LABELS if below is None else max(below.height / PIXELS, 0.15)
    inside = (room - LABELS) * height / width if _is_map(ax) else min(max(height, LOWEST), HIGHEST)
    if isinstance(ax.yaxis.get_major_formatter(), WORDS):
        inside = max(inside, LINE * len(_names(ax, "y")))
    return inside + labels + 0.2 * title + 0.12


def _move_legends(figure: Figure) -> None:
    """Put a legend that takes much of its panel below all panels."""
    for ax in _panels(figure):
        if (legend := ax.get_legend()) is not None:
            _put_below(figure, legend)
    for legend in list(figure.legends):
        if legend.get_window_extent().width > WIDTH:
            _put_below(figure, legend)


def _put_below(figure: Figure, legend: Legend) -> None:
    words = [text.get_text() for text in legend.get_texts()]
    known = {text.get_text() for other in figure.legends for text in other.get_texts()}
    legend.remove()
    if set(words) <= known:
        return
    columns = max(1, min(len(words), 46 // (max(map(len, words)) + 6)))
    figure.legend(
        [handle for handle in legend.legend_handles if handle is not None],
        ["\n".join(textwrap.wrap(word, 48)) for word in words],
        title=legend.get_title().get_text() or None,
        loc="outside lower left",
        ncols=columns,
    )


def _break_lines(figure: Figure) -> None:
    """Break titles and labels that are longer than the line that they stand on."""
    across = figure.get_figwidth() * figure.dpi
    for text in figure.texts:
        if text.get_text() == figure.get_suptitle():
            text.set(x=4 / across, ha="left")
        _wrap(text, text.get_window_extent().width, across - 8)
    for ax in figure.axes:
        frame = ax.get_window_extent()
        for title in [t for t in ax.get_children() if isinstance(t, Text) and t not in ax.texts]:
            is_left = title.get_horizontalalignment() == "left"
            room = across - frame.x0 - 4 if is_left else frame.width
            _wrap(title, title.get_window_extent().width, min(room, across - 8))
        _wrap(ax.xaxis.label, ax.xaxis.label.get_window_extent().width, across - frame.x0)
        label = ax.yaxis.label
        _wrap(label, label.get_window_extent().height, 1.1 * frame.height)
        for tick in ax.get_yticklabels():
            if tick.get_text():
                _wrap(tick, tick.get_window_extent().width, 0.4 * across)


def _wrap(text: Text, length: float, room: float) -> None:
    words = text.get_text()
    if length <= room or not words.strip():
        return
    letters = max(map(len, words.split("\n")))
    most = max(8, int(letters * room / length))
    text.set_text("\n".join(balanced(words, most)))


def balanced(words: str, most: int) -> list[str]:
    """Break words into lines of so many letters, and no line much shorter than the others."""
    words = " ".join(words.split())
    lines = textwrap.wrap(words, most, break_on_hyphens=False)
    while len(shorter := textwrap.wrap(words, most - 1, break_on_hyphens=False)) == len(lines):
        lines, most = shorter, most - 1
    return lines


def _thin_ticks(figure: Figure) -> None:
    """Break or turn the words below a panel, or leave out numbers, where they touch."""
    for ax in figure.axes:
        labels = [label for label in ax.get_xticklabels() if label.get_text()]
        boxes = [label.get_window_extent() for label in labels]
        if not any(_touch(a, b) for a, b in zip(boxes, boxes[1:], strict=False)):
            continue
        if isinstance(ax.xaxis.get_major_formatter(), WORDS):
            if _break_names(ax, boxes):
                continue
            ax.tick_params(axis="x", rotation=90)
            step = math.ceil(SMALLEST * PIXELS / 72 / _apart(boxes))
            size = min(float(labels[0].get_fontsize()), step * _apart(boxes) * 72 / PIXELS)
            for i, label in enumerate(labels):
                label.set(ha="center", va="top", rotation_mode="default", fontsize=size)
                label.set_visible(i % step == 0)
        else:
            whole = all(tick == round(tick) for tick in ax.get_xticks())
            fewer = MaxNLocator(4, integer=whole)
            many = LogLocator(numticks=4) if ax.get_xscale() == "log" else fewer
            ax.xaxis.set_major_locator(many)


def _break_names(ax: Axes, boxes: list[Bbox]) -> bool:
    """Break the words below a panel so that they fit beside each other; say whether they do."""
    names = [label.get_text() for label in ax.get_xticklabels()]
    longest = max(len(line) for name in names for line in name.split("\n"))
    letters = int((_apart(boxes) - 4) * longest / max(box.width for box in boxes))
    if max(len(word) for name in names for word in name.split()) > letters:
        return False
    ax.set_xticks(ax.get_xticks(), ["\n".join(balanced(name, letters)) for name in names])
    return True


def _apart(boxes: list[Bbox]) -> float:
    """The pixels from the middle of one of these to the middle of the next."""
    middles = [(box.x0 + box.x1) / 2 for box in boxes]
    return max((middles[-1] - middles[0]) / (len(middles) - 1), 1)


def _touch(box: Bbox, other: Bbox) -> bool:
    return box.x1 + 2 > other.x0 and box.y0 < other.y1 and other.y0 < box.y1
