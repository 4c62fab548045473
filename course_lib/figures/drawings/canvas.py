"""What all drawings are made of: grids for tensors, boxes for operations, and arrows.

A drawing is made of named parts, each with its marks in SVG.
"""

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from math import isnan

import torch

from course_lib.figures.colours import PAGES, ROLES, ink, weight_colour
from course_lib.figures.drawings.drawing import Drawing
from course_lib.figures.drawings.marks import Box, Mark, arrow, drawn, rectangle, text, words_mark
from course_lib.figures.drawings.rules import Answers, Place

LEVELS = 8  # shades of a cell, from nearly nothing to the full colour
_STYLE = (files(__package__) / "drawing.css").read_text(encoding="utf-8")
# Pale shades are lost on the dark page. Weights have a scale of their own.
_DARK = "\n.cells { filter: brightness(1.5); }\n.weights > .cells { filter: none; }"
WIDTH = 900
UPRIGHT = 70  # the room for words above columns
Cell = tuple[float, float]  # its width and height


def _colours(page: str, hundredths: Sequence[int]) -> str:
    """The colours on a page, with those of the weights that are drawn, in hundredths."""
    background, words = PAGES[page]
    lines = [f"svg {{ --page: {background}; --text: {words}; background: {background}; }}"]
    for role, colour in ROLES.items():
        lines.append(f".{role} {{ --role: {colour}; --ink: {ink(role, page)}; }}")
    lines += [f".w{i} {{ --weight: {weight_colour(i / 100, page)}; }}" for i in hundredths]
    return "\n".join(lines)


def shape_of(tensor: torch.Tensor) -> str:
    """The shape as it is written in a drawing: ``8 × 64``."""
    return " × ".join(map(str, tensor.shape))


def _strokes(where: torch.Tensor, height: float) -> str:
    """A path through the cells that are True, each an upright stroke in mid-column."""
    share = 1 - 1 / height if height > 3 else 0.9
    return "".join(f"M{j} {i}v{share:.3g}" for i, j in where.nonzero().tolist())


def _outlines(where: torch.Tensor, height: float) -> str:
    """A path around the cells that are True, a little inside each."""
    return "".join(f"M{j - 0.45:g} {i + 0.06:g}h.9v.82h-.9z" for i, j in where.nonzero().tolist())


def _levels(shades: torch.Tensor, height: float, cells=_strokes, kind: str = "") -> str:
    """Paths for shades in 0..1; a shade of 0 is the page."""
    levels = (shades * LEVELS).ceil().int()
    paths = [(level, cells(levels == level, height)) for level in range(1, LEVELS + 1)]
    return "".join(f'<path{kind} opacity="{level / LEVELS:g}" d="{d}"/>' for level, d in paths if d)


class Part:
    """One part of a drawing: a tensor with the operation that makes it.

    A grid that has a ``name`` can be pointed at where the drawing is live.
    """

    def __init__(self) -> None:
        self.marks: list[Mark] = []
        self.hundredths: set[int] = set()  # of the weights that are drawn
        self.places: dict[str, Place] = {}  # of the grids that have a name

    def grid(
        self, x: float, y: float, shades: torch.Tensor, role: str, cell: Cell, row=None, name=""
    ) -> None:
        """Draw amounts in 0..1, a cell for each, in a role's colour; row ``row`` is framed."""
        self._cells(x, y, _levels(shades, cell[1]), shades.shape, role, cell, row, name=name)

    def signed(
        self,
        x: float,
        y: float,
        tensor: torch.Tensor,
        role: str,
        cell: Cell,
        row: int | None = None,
        allowed: torch.Tensor | None = None,
        strength: float = 1.0,
        name: str = "",
    ) -> None:
        """Draw numbers: filled cells above 0, hollow ones below, up to the largest size among them.

        A number of 0 is the page, and so is one that is not ``allowed`` (True = drawn). A
        ``strength`` of 0.5 leaves cells on which numbers can be read.
        """
        sizes = strength * tensor.abs() / tensor.abs().max()
        sizes = sizes if allowed is None else sizes * allowed
        marks = _levels(sizes * (tensor > 0), cell[1])
        marks += _levels(sizes * (tensor < 0), cell[1], _outlines, ' class="below"')
        self._cells(x, y, marks, tensor.shape, role, cell, row, allowed, name)

    def table(
        self, x, y, tensor, role, cell, decimals=0, *, row=None, only=None, allowed=None, name=""
    ) -> None:
        """Draw pale cells with their numbers in them, see ``signed`` and ``write``."""
        self.signed(x, y, tensor, role, cell, row, allowed, strength=0.5, name=name)
        shown = tensor if allowed is None else tensor.masked_fill(~allowed, torch.nan)
        self.write(x, y, shown, cell, decimals, only)

    def weights(
        self,
        x: float,
        y: float,
        weights: torch.Tensor,
        cell: Cell,
        row: int | None = None,
        allowed: torch.Tensor | None = None,
        name: str = "",
    ) -> None:
        """Draw attention weights in their colours; ``allowed`` is the mask, True = may attend."""
        hundredths = (100 * weights).round().int()
        used = sorted(set(hundredths.flatten().tolist()) - {0})
        self.hundredths.update(used)
        marks = "".join(
            f'<path class="weight w{i}" d="{_strokes(hundredths == i, cell[1])}"/>' for i in used
        )
        self._cells(x, y, marks, weights.shape, "weights", cell, row, allowed, name)

    def _cells(
        self, x, y, marks: str, shape: Sequence[int], role, cell: Cell, row, allowed=None, name=""
    ) -> None:
        """Put cells at their place, with a frame, or a line around those that are allowed."""
        if name:
            self.places[name] = Place(role, x, y, cell)
        (rows, columns), (width, height) = shape, cell
        share = 1 - 1 / width if width > 3 else 1  # narrow columns touch each other
        scale = f"translate({x + width / 2:g} {y:g}) scale({width:g} {height:g})"
        kind = f'class="cells" stroke-width="{share:.2g}" transform="{scale}"'
        box = Box(x, y, x + columns * width, y + rows * height)
        ground, frame = rectangle(box.grown(1), "ground"), rectangle(box.grown(1), "box")
        if allowed is not None:
            ground = frame = ""
            self.edge(x, y, allowed, cell)
        svg = f'<g class="{role}">{ground}<g {kind}>{marks}</g>{frame}</g>'
        self.marks.append(Mark("grid", svg, box, name=name))
        if row is not None:
            self._over(x - 3, y + row * height - 1, columns * width + 6, height)

    def _over(self, x: float, y: float, width: float, height: float, kind: str = "row") -> None:
        box = Box(x, y, x + width, y + height)
        svg = rectangle(box, kind, round_by=8 * (kind == "band"))
        self.marks.append(Mark("band" if kind == "band" else "over", svg, box))

    def rows(self, name: str, words: Sequence[str], kind="", *, columns: bool = False) -> None:
        """Write a word on the left of each row of the grid ``name``, in one form only for a kind.

        With ``columns`` the same words stand above its columns, turned upright, as a part of it.
        """
        place, grid = self.places[name], next(mark for mark in self.marks if mark.name == name)
        x, y, (width, height) = place.left, place.top, place.cell
        left = words_mark(x - 8, y + height / 2 + 4, words, f"end {kind}".strip(), step=height)
        left.name = name
        self.marks.append(left)
        if columns:
            begin = x + width / 2 + 4.5
            turned = [text(6 - y, begin + width * j, word, "start") for j, word in enumerate(words)]
            grid.svg += f'<g class="upright" transform="rotate(-90)">{"".join(turned)}</g>'
            grid.box = grid.box._replace(top=y - UPRIGHT)

    def edge(self, x: float, y: float, allowed: torch.Tensor, cell: Cell) -> None:
        """Draw a thin line around the cells of a grid that are True in ``allowed``."""
        width, height = cell
        framed = torch.nn.functional.pad(allowed.int(), (1, 1, 1, 1))
        upright = (framed[1:-1, 1:] != framed[1:-1, :-1]).nonzero().tolist()
        level = (framed[1:, 1:-1] != framed[:-1, 1:-1]).nonzero().tolist()
        d = "".join(f"M{x + j * width:g} {y + i * height:g}v{height:g}" for i, j in upright)
        d += "".join(f"M{x + j * width:g} {y + i * height:g}h{width:g}" for i, j in level)
        box = Box(x, y, x + width * allowed.shape[1], y + height * allowed.shape[0])
        self.marks.append(Mark("over", f'<path class="edge" d="{d}"/>', box))

    def frame(self, x: float, y: float, width: float, height: float) -> None:
        """Draw a frame around a part of a grid."""
        self._over(x - 2, y - 2, width + 4, height + 4)

    def band(self, x: float, y: float, width: float, height: float) -> None:
        """Shade the ground behind what belongs together; what is drawn later stands on it."""
        self._over(x, y, width, height, "band")

    def unknown(self, x: float, y: float, width: float, height: float, role: str) -> None:
        """Leave a tensor to be found."""
        box = Box(x, y, x + width, y + height)
        frame = rectangle(box.grown(1), "unknown")
        self.marks.append(Mark("grid", f'<g class="{role}">{frame}</g>', box))
        self.note(x + width / 2, y + height / 2 + 4, "?")

    def arrow(self, role: str, *points: tuple[float, float], tip: bool = True) -> None:
        """Draw a line through points; its last piece runs along one of the axes."""
        xs, ys = zip(*points, strict=True)
        box = Box(min(xs), min(ys), max(xs), max(ys))
        self.marks.append(Mark("line", arrow(role, points, tip), box, role=role, points=points))

    def operation(self, x: float, y: float, words: str, role: str, width: float) -> None:
        """Draw a box with the name of an operation, centred on a point."""
        box = Box(x - width / 2, y - 12, x + width / 2, y + 12)
        frame = rectangle(box, "operation box", round_by=12)
        svg = f'<g class="{role}">{frame}</g>' + text(x, y + 4.5, words)
        self.marks.append(Mark("box", svg, box, [words]))

    def name(self, x: float, y: float, words: str, role: str, kind: str = "name") -> None:
        self.marks.append(words_mark(x, y, [words], kind, role))

    def title(self, x: float, y: float, words: str, role: str, tensor: torch.Tensor) -> None:
        """Write a name, and below it, at ``y``, the shape of what it names."""
        self.name(x, y - 16, words, role)
        self.note(x, y, shape_of(tensor))

    def note(self, x: float, y: float, words: str, kind: str = "") -> None:
        self.marks.append(words_mark(x, y, [words], kind))

    def lines(self, x: float, y: float, *lines: str, kind: str = "", step: int = 16) -> None:
        """Write lines of text, one below the other."""
        if lines:
            self.marks.append(words_mark(x, y, lines, kind, step=step))

    def number(self, x: float, y: float, number: float, words: str, is_weight: bool) -> None:
        """Write a number into its cell; on the shade of a large weight in the page's colour."""
        self.note(x, y, words, "on-shade" if is_weight and number > 0.55 else "")

    def write(
        self,
        x: float,
        y: float,
        tensor: torch.Tensor,
        cell: Cell,
        decimals: int = 0,
        only: int | None = None,
        is_weight: bool = False,
    ) -> None:
        """Write numbers into the cells of a grid, or into its one row ``only``; 0 stands back.

        NaN is left out.
        """
        marks, zeros = "", ""
        for i, row in enumerate(tensor.tolist()):
            for j, number in enumerate(row):
                at = (x + (j + 0.5) * cell[0], y + (i + 0.5) * cell[1] + 4)
                if only not in (None, i) or isnan(number):
                    continue
                if number == 0:
                    zeros += text(*at, "0")
                else:
                    words = f"{number:.{decimals}f}".replace("-", "−")
                    marks += text(*at, words, "on-shade" if is_weight and number > 0.55 else "")
        svg = f'<g font-size="11">{marks}<g opacity="0.45">{zeros}</g></g>'
        self.marks.append(Mark("over", svg, Box(x, y, x + cell[0], y + cell[1])))


class Canvas:
    """Collects the named parts of one drawing, whose upper left corner is (0, 0)."""

    def __init__(self, *names: str) -> None:
        self.parts = {name: Part() for name in names}
        self.answers: Answers | None = None  # what the drawing says of its numbers when it is live

    def __getitem__(self, name: str) -> Part:
        return self.parts[name]

    def drawing(
        self,
        title: str,
        sentences: Sequence[str],
        height: int,
        lit: str | None = None,
        *,
        rows: str,
    ) -> Drawing:
        """Put the parts together; the one named ``lit`` stands out.

        ``rows`` says in which order a narrow page shows its pieces: tools/site/narrow_drawings.py.

        Raises:
            ValueError: ``lit`` names no part.
        """
        if lit is not None and lit not in self.parts:
            raise ValueError(f"lit must be None or one of {', '.join(self.parts)}; got {lit!r}")
        if lit is not None:
            title = f"{title}, at hand: {lit}"
        description = " ".join(sentences)
        marks = {name: part.marks for name, part in self.parts.items()}
        groups = "\n".join(
            f'<g class="part {"lit " if name == lit else ""}part-{name}">{drawn(part.marks)}</g>'
            for name, part in self.parts.items()
        )
        kind = ' class="some-lit"' if lit else ""
        used = sorted(set().union(*(part.hundredths for part in self.parts.values())))
        dark = f"@media (prefers-color-scheme: dark) {{\n{_colours('dark', used)}{_DARK}\n}}"
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}">\n'
            f"<title>{escape(title)}</title>\n<desc>{escape(description)}</desc>\n"
            f"<style>\n{_STYLE}{_colours('light', used)}\n{dark}</style>\n"
            f'<g id="drawing"{kind}>\n{groups}\n</g>\n</svg>'
        )
        places = {
            grid: (name, place)
            for name, part in self.parts.items()
            for grid, place in part.places.items()
        }
        live = None
        if self.answers is not None:
            live = self.answers.as_json(tuple(self.parts), lit, places)
        return Drawing(title, description, svg, (WIDTH, height), live, marks, rows)
