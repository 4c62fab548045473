"""The marks of a drawing, each with its place: a grid, a box, words, a line, a band."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

LETTER = 7.2  # pixels, about

Point = tuple[float, float]


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def grown(self, by: float) -> "Box":
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)


@dataclass(eq=False)
class Mark:
    """Something drawn: a grid, a box, words, a line, a band, or what lies over a grid."""

    kind: str
    svg: str
    box: Box
    lines: Sequence[str] = ()
    role: str = ""
    points: tuple[Point, ...] = ()
    name: str = ""  # of a grid, or of the one whose rows these words name

    @property
    def words(self) -> str:
        return " ".join(self.lines)


def drawn(marks: Sequence[Mark]) -> str:
    """The marks of the wide form."""
    return "".join(mark.svg for mark in marks if "narrow" not in mark.role)


def rectangle(box: Box, kind: str, round_by: int = 0) -> str:
    corners = f' rx="{round_by}"' if round_by else ""
    size = f'width="{box.right - box.left:g}" height="{box.bottom - box.top:g}"'
    return f'<rect x="{box.left:g}" y="{box.top:g}" {size}{corners} class="{kind}"/>'


def text(x: float, y: float, words: str, kind: str = "") -> str:
    """A line of text; ``_`` sets the letter behind it lower, as in ``W_Q``."""
    before, *lowered = escape(words).split("_")
    for piece in lowered:
        rest = f'<tspan dy="-3">{piece[1:]}</tspan>' if piece[1:] else ""
        before += f'<tspan dy="3" font-size="11">{piece[0]}</tspan>{rest}'
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{kind}>{before}</text>'


def words_mark(
    x: float, y: float, lines: Sequence[str], kind: str, role: str = "", step: float = 15
) -> Mark:
    """Lines of text, one below the other; their width is a guess."""
    svg = "".join(text(x, y + step * i, line, kind) for i, line in enumerate(lines))
    long = LETTER * max(map(len, lines)) * (1.2 if "name" in kind else 1)
    left = x - long * (1 if "end" in kind else 0 if "start" in kind else 0.5)
    box = Box(left, y - 11, left + long, y + 4 + step * (len(lines) - 1))
    svg = f'<g class="{role}">{svg}</g>' if role else svg
    return Mark("words", svg, box, lines, role=kind, points=((x, y),))


def arrow(role: str, points: Sequence[Point], tip: bool = True) -> str:
    """A line through points; its last piece runs along one of the axes."""
    line = "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
    marks = f'<path class="line" d="{line}"/>'
    (x0, y0), (x, y) = points[-2:]
    if tip:
        along, across = (x > x0) - (x < x0), (y > y0) - (y < y0)
        a, b = 7 * along + 4 * across, 4 * along + 7 * across
        c, d = 4 * across - 7 * along, 4 * along - 7 * across
        head = f"M{x - 4 * across:g} {y - 4 * along:g}l{a:g} {b:g}l{c:g} {d:g}z"
        marks += f'<path class="tip" d="{head}"/>'
    return f'<g class="{role}">{marks}</g>'
