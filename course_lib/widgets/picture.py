"""Still pictures of attention as HTML: the same bytes in every run and on every machine.

matplotlib's pictures differ from version to version, and a stored notebook is compared text by
text. So this writes SVG itself, which is sharp at any zoom: a weight has one of 128 colours of the
scale of weights, and neighbours of one colour in a row are one stroke. What a mask hides is not
drawn: one thin line goes around what may be seen.
"""

import base64
import html
import math
from collections.abc import Sequence

import numpy as np

from course_lib.figures.colours import ROLES, weight_colour

STEPS = 128
EDGE = "#808080"
WIDTH = 640
MOST_CELLS = 5000  # of all small maps together
MOST_ROWS = 64  # of the large map
LETTER = 6.8  # width of a letter of the labels
MOST_LETTERS = 14
STILL = "A still picture; run the cell to touch it. "
FONT = 'font-family="sans-serif" font-size="11" fill="#1a1a1a"'


def maps_image(
    weights: np.ndarray,
    allowed: np.ndarray,
    queries: list[str],
    keys: list[str],
    chosen: tuple[int, int, int] = (0, 0, 0),
) -> str:
    """Return an <img> of the maps of all heads, and of one of them, large and with its labels.

    Weights are (layers, heads, query_len, key_len), and so is ``allowed``, True = may attend.
    ``chosen`` is the layer and head of the large map, and the query whose row is framed. A map with
    too many cells for the picture is made smaller: a cell then stands for the largest weight of a
    square of them, and the picture says so.
    """
    layers, heads, query_len, key_len = weights.shape
    layer, head, query = chosen
    parts, top = [], 0.0
    if layers * heads > 1:
        drawing, top = _small_maps(weights, allowed, (layer, head))
        parts.append(drawing)
    drawing, height = _large_map(weights[layer, head], allowed[layer, head], queries, keys, query)
    parts.append(f'<g transform="translate(0 {top:.5g})">{drawing}</g>')
    alt = "Attention weights: "
    if top > 0:
        every, large = f"{heads} heads", f"head {head}"
        if layers > 1:
            every, large = f"{layers} layers of {every}", f"layer {layer}, {large}"
        alt += f"{every}, and {large} large, "
    alt += f"{query_len} queries (rows) by {key_len} keys (columns)"
    return svg_image("".join(parts), WIDTH, top + height, FONT, alt)


def weights_table(row: np.ndarray, allowed: np.ndarray, keys: list[str], caption: str) -> str:
    """Return a <table> of one query's weights (key_len,): at most its 16 largest, in key order."""
    top = sorted(np.argsort(-row, kind="stable")[:16].tolist())
    lines = "".join(
        f"<tr><th><bdi>{html.escape(keys[key])}</bdi></th>"
        f"<td>{f'{row[key]:.1%}' if allowed[key] else 'masked'}</td></tr>"
        for key in top
    )
    return still_table(STILL + caption, ("key", "weight"), lines)


def still_table(caption: str, columns: Sequence[str], lines: str) -> str:
    """Return a <table> of these lines, under the names of its columns."""
    names = "".join(f"<th>{name}</th>" for name in columns)
    return (
        '<table><caption style="white-space: nowrap; text-align: left">'
        f"{html.escape(caption)}</caption>{f'<tr>{names}</tr>' * bool(names)}"
        f"{lines}</table>"
    )


def svg_image(body: str, width: float, height: float, font: str, alt: str) -> str:
    """Return an <img> of a drawing on white."""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.6g}" height="{height:.6g}" '
        f'viewBox="0 0 {width:.6g} {height:.6g}" {font}>'
        f'<rect width="100%" height="100%" fill="#fff"/>{body}</svg>'
    )
    return image(svg, alt)


def image(svg: str, alt: str) -> str:
    """Return an <img> of a drawing that is a whole document."""
    address = "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
    return f'<img alt="{html.escape(alt)}" src="{address}" style="max-width: 100%">'


def svg_text(text: str, x: float, y: float, attributes: str = "") -> str:
    """Return a <text> of at most 14 letters."""
    short = text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"
    return f'<text x="{x:.5g}" y="{y:.5g}" {attributes}>{html.escape(short)}</text>'


def _small_maps(weights, allowed, chosen) -> tuple[str, float]:
    """Return every head's map under its name, and the height of them all."""
    layers, heads, query_len, key_len = weights.shape
    factor = 1
    while layers * heads * -(-query_len // factor) * -(-key_len // factor) > MOST_CELLS:
        factor += 1
    columns = heads if layers > 1 else min(heads, 8)
    width = min(88.0, WIDTH / columns - 8)
    height = width * min(max(query_len / key_len, 1 / 3), 2)
    parts = []
    for i in range(layers * heads):
        layer, head = divmod(i, heads)
        left, top = i % columns * (width + 8) + 2, i // columns * (height + 22) + 14
        name = f"{layer}.{head}" if layers > 1 else f"head {head}"
        size = "" if width >= 40 else f'font-size="{width / 4:.2g}"'
        place = left, top, width, height
        parts.append(svg_text(name, left, top - 3, size))
        parts.append(_map(weights[layer, head], allowed[layer, head], factor, *place))
        if (layer, head) == chosen:
            parts.append(_frame(left, top, width, height, "#1a1a1a"))
    bottom = -(-layers * heads // columns) * (height + 22) + 14
    note = f"A cell is the largest weight of {factor} by {factor}. " if factor > 1 else ""
    note += "Names: layer.head. " if layers > 1 else ""
    parts.append(f'<text x="2" y="{bottom:.5g}">{note}Framed: the head that is large below.</text>')
    return "".join(parts), bottom + 18


def _large_map(weights, allowed, queries, keys, query) -> tuple[str, float]:
    """Return the map with a label for each row and column, or for some of very many; its height.

    A single row that has room for them has the numbers of its weights too.
    """
    query_len, key_len = weights.shape
    margin = LETTER * min(max(map(len, queries)), MOST_LETTERS) + 8
    foot = LETTER * min(max(map(len, keys)), MOST_LETTERS) + 8
    side = min(34.0, (WIDTH - margin - 40) / key_len, 480 / max(query_len, key_len))
    width, height = side * key_len, max(side, min(14.0, 480 / query_len)) * query_len
    factor = -(-max(query_len, key_len) // MOST_ROWS)
    row, top = height / query_len, 6.0
    parts = [
        _map(weights, allowed, factor, margin, top, width, height),
        _frame(margin, top + row * query, width, row, ROLES["query"]),
    ]
    for i in range(0, query_len, math.ceil(12 / row)):
        y = top + row * (i + 0.5) + 4
        parts.append(svg_text(queries[i], margin - 5, y, 'text-anchor="end"'))
    for i in range(0, key_len, math.ceil(12 / side)):
        x, y = margin + side * (i + 0.5) + 4, top + height + 5
        turned = f'transform="rotate(-90 {x:.5g} {y:.5g})" text-anchor="end"'
        parts.append(svg_text(keys[i], x, y, turned))
    for i in range(key_len) if query_len == 1 and side > 4 * LETTER else ():
        number = f"{weights[0, i]:.2f}" if allowed[0, i] else ""
        colour = "#fff" if weights[0, i] > 0.5 else "#1a1a1a"
        middle = f'text-anchor="middle" fill="{colour}"'
        parts.append(svg_text(number, margin + side * (i + 0.5), top + height / 2 + 4, middle))
    bottom = top + height + foot + 12
    note = f"A cell is the largest weight of {factor} by {factor}. " if factor > 1 else ""
    note += "Rows: queries, columns: keys. White: weight 0, darkest: 1."
    note += "" if allowed.all() else " Outside the line: masked."
    parts.append(f'<text x="2" y="{bottom:.5g}">{note}</text>')
    return "".join(parts), bottom + 8


def _map(weights, allowed, factor, left, top, width, height) -> str:
    """Return one map, and the line around what may be attended to."""
    weights, allowed = _pooled(np.where(allowed, weights, -1.0), factor), _pooled(allowed, factor)
    rows, columns = weights.shape
    steps = np.where(allowed, np.rint(weights * (STEPS - 1)), STEPS).astype(int)
    strokes: dict[int, list[str]] = {}
    for y, line in enumerate(steps.tolist()):
        x = 0
        while x < columns:
            end = x + 1
            while end < columns and line[end] == line[x]:
                end += 1
            strokes.setdefault(line[x], []).append(f"M{x} {y}h{end - x}")
            x = end
    strokes.pop(STEPS, None)
    paths = "".join(
        f'<path stroke="{weight_colour(step / (STEPS - 1))}" d="{"".join(strokes[step])}"/>'
        for step in sorted(strokes)
    )
    x_scale, y_scale = width / columns, height / rows
    place = f"matrix({x_scale:.6g} 0 0 {y_scale:.6g} {left:.6g} {top + y_scale / 2:.6g})"
    group = f'<g class="map" shape-rendering="crispEdges" transform="{place}">{paths}</g>'
    place = f"matrix({x_scale:.6g} 0 0 {y_scale:.6g} {left:.6g} {top:.6g})"
    line = f'fill="none" stroke="{EDGE}" vector-effect="non-scaling-stroke"'
    return f'{group}<path class="edge" d="{_edge(allowed)}" {line} transform="{place}"/>'


def _edge(allowed: np.ndarray) -> str:
    """Return the edge of what may be attended to as a path; a cell is a square of size 1."""
    pieces = []
    for name, across, cells in (("H", False, allowed), ("V", True, allowed.T)):
        padded = np.pad(cells, ((1, 1), (0, 0)))
        for y, line in enumerate(padded[1:] != padded[:-1]):
            starts = np.flatnonzero(np.diff(line.astype(int), prepend=0) == 1)
            ends = np.flatnonzero(np.diff(line.astype(int), append=0) == -1) + 1
            for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
                place = f"{y} {start}" if across else f"{start} {y}"
                pieces.append(f"M{place}{name}{end}")
    return "".join(pieces)


def _pooled(cells: np.ndarray, factor: int) -> np.ndarray:
    """Return the largest of each square of ``factor`` by ``factor`` cells."""
    for axis in (0, 1):
        cells = np.maximum.reduceat(cells, range(0, cells.shape[axis], factor), axis=axis)
    return cells


def _frame(left, top, width, height, colour) -> str:
    return (
        f'<rect x="{left - 1:.6g}" y="{top - 1:.6g}" width="{width + 2:.6g}" '
        f'height="{height + 2:.6g}" fill="none" stroke="{colour}" stroke-width="2"/>'
    )
