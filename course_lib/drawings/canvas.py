"""What all drawings are made of: grids for tensors, boxes for operations, and arrows.

A drawing is made of named parts. It holds no id, so any number of them can stand on one page, and
its styles name its own class only. Its background and its text take JupyterLab's colours where
those are there, and else the page's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import torch

from course_lib.colours import INK_PERCENT, ROLES

LEVELS = 8  # shades of a cell, from nearly nothing to the full colour
_STYLE = f"""
.course-drawing {{ display: block; width: 100%; max-width: 900px; height: auto;
  background: var(--jp-layout-color0, Canvas); color: var(--jp-content-font-color0, CanvasText);
  font: 12px var(--jp-ui-font-family, system-ui, sans-serif); --role: currentColor; }}
.course-drawing text {{ fill: currentColor; text-anchor: middle; }}
.course-drawing .end {{ text-anchor: end; }}
.course-drawing .start {{ text-anchor: start; }}
.course-drawing .name {{ font-size: 14px; font-weight: 600;
  fill: color-mix(in srgb, var(--role) {INK_PERCENT}%, currentColor); }}
.course-drawing .box {{ fill: none; stroke: var(--role); stroke-width: 1.5; }}
.course-drawing .operation {{ fill: var(--jp-layout-color0, Canvas); }}
.course-drawing .cells, .course-drawing .tip {{ fill: var(--role); }}
.course-drawing .line {{ fill: none; stroke: var(--role); stroke-width: 2; }}
.course-drawing .row {{ fill: none; stroke: currentColor; stroke-width: 1.5; }}
.course-drawing .hatch {{ fill: none; stroke: currentColor; opacity: 0.55; }}
.course-drawing.some-lit .part:not(.lit) {{ opacity: 0.42; }}
.course-drawing .lit .box {{ stroke-width: 4; }}
""" + "".join(
    f".course-drawing .{role} {{ --role: {colour}; }}\n" for role, colour in ROLES.items()
)


@dataclass(frozen=True, repr=False)
class Drawing:
    """A drawing that shows itself in a notebook.

    Attributes:
        title: its name.
        description: what it shows, in sentences, for those who do not see it.
        svg: the drawing, which is also a file of its own.
    """

    title: str
    description: str
    svg: str

    def __repr__(self) -> str:
        return f"{self.title}. {self.description}"

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto">{self.svg}</div>'


def shape_of(tensor: torch.Tensor) -> str:
    """The shape as it is written in a drawing: ``8 × 64``."""
    return " × ".join(map(str, tensor.shape))


def text(x: float, y: float, words: str, kind: str = "") -> str:
    """A line of text; ``_`` sets the letter behind it lower, as in ``W_Q``."""
    before, *lowered = escape(words).split("_")
    for piece in lowered:
        rest = f'<tspan dy="-3">{piece[1:]}</tspan>' if piece[1:] else ""
        before += f'<tspan dy="3" font-size="11">{piece[0]}</tspan>{rest}'
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{before}</text>'


def _frame(x: float, y: float, width: float, height: float, kind: str, round_by: int = 0) -> str:
    corners = f' rx="{round_by}"' if round_by else ""
    size = f'width="{width:g}" height="{height:g}"'
    return f'<rect x="{x:g}" y="{y:g}" {size}{corners} class="{kind}"/>'


def shades_of(tensor: torch.Tensor) -> torch.Tensor:
    """A shade for each number, from the smallest (faint) to the largest (full)."""
    low, high = tensor.min(), tensor.max()
    return ((tensor - low) / (high - low)).clamp(min=1 / LEVELS)


class Part:
    """One part of a drawing: a tensor with the operation that makes it."""

    def __init__(self) -> None:
        self.marks: list[str] = []

    def grid(
        self,
        x: float,
        y: float,
        shades: torch.Tensor,
        role: str,
        cell: tuple[float, float],
        row: int | None = None,
    ) -> None:
        """Draw a matrix, a cell for each number; ``shades`` lie in 0..1, ``row`` is framed."""
        rows, columns = shades.shape
        width, height = cell
        gap = 1 if width > 3 else 0  # narrow columns touch each other
        levels = (shades * LEVELS).ceil().int()
        paths = []
        for level in range(1, LEVELS + 1):
            at = (levels == level).nonzero().tolist()
            if at:
                d = "".join(
                    f"M{j} {i}h{1 - gap / width:.2g}v.9h-{1 - gap / width:.2g}z" for i, j in at
                )
                paths.append(f'<path fill-opacity="{level / LEVELS:g}" d="{d}"/>')
        place = f"translate({x:g} {y:g}) scale({width:g} {height:g})"
        cells = f'<g class="cells" transform="{place}">{"".join(paths)}</g>'
        frame = _frame(x - 1, y - 1, columns * width + 2, rows * height + 2, "box")
        self.marks.append(f'<g class="{role}">{cells}{frame}</g>')
        if row is not None:
            self.marks.append(
                _frame(x - 3, y + row * height - 1, columns * width + 6, height, "row")
            )

    def hatch(self, x: float, y: float, where: torch.Tensor, cell: tuple[float, float]) -> None:
        """Strike through the cells of a grid that are True in ``where``."""
        width, height = cell
        strokes = "".join(
            f"M{x + j * width + 2:g} {y + (i + 1) * height - 2:g}l{width - 4:g} {4 - height:g}"
            for i, j in where.nonzero().tolist()
        )
        self.marks.append(f'<path class="hatch" d="{strokes}"/>')

    def arrow(self, role: str, *points: tuple[float, float], tip: bool = True) -> None:
        """Draw a line through points; its last piece runs along one of the axes."""
        line = "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
        marks = f'<path class="line" d="{line}"/>'
        (x0, y0), (x, y) = points[-2:]
        if tip:
            along, across = (x > x0) - (x < x0), (y > y0) - (y < y0)
            head = f"M{x - 4 * across:g} {y - 4 * along:g}l{7 * along + 4 * across:g} "
            head += (
                f"{4 * along + 7 * across:g}l{4 * across - 7 * along:g} {4 * along - 7 * across:g}z"
            )
            marks += f'<path class="tip" d="{head}"/>'
        self.marks.append(f'<g class="{role}">{marks}</g>')

    def operation(self, x: float, y: float, words: str, role: str, width: float) -> None:
        """Draw a box with the name of an operation, centred on a point."""
        frame = _frame(x - width / 2, y - 12, width, 24, "operation box", round_by=12)
        self.marks.append(f'<g class="{role}">{frame}</g>' + text(x, y + 4.5, words))

    def name(self, x: float, y: float, words: str, role: str) -> None:
        self.marks.append(f'<g class="{role}">{text(x, y, words, "name")}</g>')

    def note(self, x: float, y: float, words: str, kind: str = "") -> None:
        self.marks.append(text(x, y, words, kind))


class Canvas:
    """Collects the named parts of one drawing, whose upper left corner is (0, 0)."""

    def __init__(self, *names: str) -> None:
        self.parts = {name: Part() for name in names}

    def __getitem__(self, name: str) -> Part:
        return self.parts[name]

    def drawing(
        self, title: str, sentences: Sequence[str], height: int, lit: str | None
    ) -> Drawing:
        """Put the parts together; the one named ``lit`` stands out.

        Raises:
            ValueError: ``lit`` names no part.
        """
        if lit is not None and lit not in self.parts:
            raise ValueError(f"lit must be None or one of {', '.join(self.parts)}; got {lit!r}")
        if lit is not None:
            title = f"{title}, at hand: {lit}"
        description = " ".join(sentences)
        groups = "\n".join(
            f'<g class="part {"lit " if name == lit else ""}part-{name}">{"".join(part.marks)}</g>'
            for name, part in self.parts.items()
        )
        label = escape(f"{title}. {description}", quote=True)
        kind = "course-drawing" + (" some-lit" if lit else "")
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 {height}" class="{kind}" '
            f'role="img" aria-label="{label}">\n<title>{escape(title)}</title>\n'
            f"<desc>{escape(description)}</desc>\n<style>{_STYLE}</style>\n{groups}\n</svg>"
        )
        return Drawing(title, description, svg)
