"""What a check hands back: the points for the grader, the words and tables for the student."""

import html
import math
from dataclasses import dataclass

from course_checks.judge.verdict import Parts

MAX_SHOWN = 8  # rows and columns of a matrix that are shown
NOT_JUDGED = "– = not judged until the first line is right"
NOT_JUDGED_YET = "– = not judged until the lines above it are right"


@dataclass(frozen=True)
class Table:
    """One matrix of numbers with a caption; ``marked`` are the cells that differ.

    The numbers of ``integer_columns`` are indices or counts.
    """

    caption: str
    rows: list[list[float]]
    marked: frozenset[tuple[int, int]] = frozenset()
    decimals: int = 3
    integer_columns: frozenset[int] = frozenset()

    def cell(self, row: int, column: int) -> str:
        return number(self.rows[row][column], self.decimals, column in self.integer_columns)


@dataclass(frozen=True, eq=False)
class Result:
    """The verdict on one function.

    ``repr(result)`` is the points as a float and nothing else: nbgrader reads them there as partial
    credit, and would take anything that is no number for full marks.

    Attributes:
        name: the exercise's function.
        points, max_points: earned and possible.
        status: "pass", "todo" (not written yet), "wrong" (runs, wrong answer) or "error" (it
            stops with an error, never ends, takes other arguments ...).
        message: the finding, in paragraphs.
        code: the student's own line that the message speaks of, or "".
        parts: (property, points earned, points possible); earned is None where the property was
            not judged, since the first one (or, for gradients, one before it) does not hold.
        tables: the answer to the smallest input that fails, expected and got.
        inputs: that input, where it is small enough to be shown.
        diagnosis: the name of the mistake that was recognised, "one | other" where it may be
            either of two, or None.
        seed: repeats this very run, ``checks.NAME(function, seed=result.seed)``.
    """

    name: str
    points: float
    max_points: int
    status: str
    message: tuple[str, ...]
    code: str = ""
    parts: Parts = ()
    tables: tuple[Table, ...] = ()
    inputs: tuple[Table, ...] = ()
    diagnosis: str | None = None
    seed: int | None = None

    def __repr__(self) -> str:
        return repr(float(self.points))

    def __str__(self) -> str:
        lines = [self._headline(), *self.message]
        if self.code:
            lines.append("    " + self.code)
        lines += [_text_side_by_side(group) for group in (self.tables, self.inputs) if group]
        if any(table.marked for table in self.tables):
            lines.append("* = differs")
        lines += [_part_line(*part) for part in self.parts]
        if self._has_open_parts():
            lines.append(self._legend())
        if repeat := self._repeat():
            lines.append(" ".join(repeat))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The same feedback as HTML. Colours are translucent, so that both themes keep contrast."""
        escape = html.escape
        edge = {"pass": "#2e9e5b", "todo": "#8a8f98"}.get(self.status, "#d9822b")
        blocks = [f"<p><strong>{escape(self._headline())}</strong></p>"]
        blocks += [f"<p>{escape(text)}</p>" for text in self.message]
        if self.code:
            blocks.append(f'<pre style="white-space:pre-wrap">{escape(self.code)}</pre>')
        if self.tables:
            blocks.append(_html_side_by_side(self.tables, "nowrap"))
            star = "* = differs. " if any(table.marked for table in self.tables) else ""
            blocks.append(f"<p><small>{star}Blue: above 0. Orange: below 0.</small></p>")
        if self.inputs:
            blocks.append(_html_side_by_side(self.inputs, "wrap"))
        if self.parts:
            items = "\n".join(f"<li>{escape(_part_line(*part))}</li>" for part in self.parts)
            blocks.append(f'<ul style="list-style:none;padding-left:0">\n{items}\n</ul>')
        if self._has_open_parts():
            blocks.append(f"<p><small>{self._legend()}</small></p>")
        if repeat := self._repeat():
            text, call = repeat
            blocks.append(f"<p><small>{text} <code>{escape(call)}</code></small></p>")
        body = "\n".join(blocks)
        return f'<div style="border-left:4px solid {edge};padding-left:1em">\n{body}\n</div>'

    def _headline(self) -> str:
        mark = {"pass": "✔ ", "todo": "○ "}.get(self.status, "✘ ")
        return f"{mark}{self.name}: {self.points:g} of {self.max_points} points"

    def _has_open_parts(self) -> bool:
        return any(got is None for _, got, _ in self.parts)

    def _legend(self) -> str:
        _, earned, possible = self.parts[0]
        return NOT_JUDGED_YET if earned == possible else NOT_JUDGED

    def _repeat(self) -> tuple[str, str] | None:
        if self.seed is None or self.status in ("pass", "todo"):
            return None
        return (
            "Every run draws new numbers. To repeat these:",
            f"checks.{self.name}({self.name}, seed={self.seed})",
        )


def number(value: float, decimals: int = 3, is_integer: bool = False) -> str:
    """With ``decimals``, or as many digits where the number is very large or very small."""
    if not math.isfinite(value):
        return str(value)
    if is_integer and value == int(value):
        return str(int(value))
    if value == 0 or 0.001 <= abs(value) < 100_000:
        return f"{value:.{decimals}f}"
    return f"{value:.{decimals - 1}e}"


def verb(noun: str, singular: str) -> str:
    """ "has" or "is", in the plural after a plural noun such as weights (not: cross, bias)."""
    plural = {"has": "have", "is": "are"}
    is_plural = noun.endswith("s") and not noun.endswith(("ss", "ias"))
    return plural[singular] if is_plural else singular


def count_of(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _part_line(claim: str, earned: int | None, possible: int) -> str:
    if earned is None:
        return f"– {claim} (– of {possible})"
    return f"{'✔' if earned == possible else '✘'} {claim} ({earned} of {possible})"


def _text_side_by_side(tables: tuple[Table, ...]) -> str:
    blocks = []
    for table in tables:
        cells = [
            [table.cell(i, j) + ("*" if (i, j) in table.marked else " ") for j in range(len(row))]
            for i, row in enumerate(table.rows)
        ]
        width = max((len(cell) for row in cells for cell in row), default=1)
        block = [table.caption] + [" ".join(cell.rjust(width) for cell in row) for row in cells]
        wide = max(map(len, block))
        blocks.append([line.ljust(wide) for line in block])
    height = max(map(len, blocks))
    blocks = [block + [" " * len(block[0])] * (height - len(block)) for block in blocks]
    return "\n".join("   ".join(parts).rstrip() for parts in zip(*blocks, strict=True))


def _html_side_by_side(tables: tuple[Table, ...], wrap: str) -> str:
    style = f"display:flex;flex-wrap:{wrap};align-items:flex-start;gap:1.5em;overflow-x:auto"
    inner = "\n".join(_html_table(table) for table in tables)
    return f'<div style="{style}">\n{inner}\n</div>'


def _html_table(table: Table) -> str:
    finite = [abs(value) for row in table.rows for value in row if math.isfinite(value)]
    largest = max(finite, default=0.0) or 1.0
    rows = []
    for i, row in enumerate(table.rows):
        cells = []
        for j, value in enumerate(row):
            strength = 0.5 * abs(value) / largest if math.isfinite(value) else 0.0
            hue = "217,130,43" if value < 0 else "70,130,220"
            style = f"text-align:right;padding:2px 6px;background:rgba({hue},{strength:.2f})"
            star = ""
            if (i, j) in table.marked:
                style += ";outline:2px solid #d9822b;outline-offset:-2px;font-weight:bold"
                star = "*"
            cells.append(f'<td style="{style}">{table.cell(i, j)}{star}</td>')
        rows.append("<tr>" + " ".join(cells) + "</tr>")
    style = "text-align:left;white-space:nowrap"
    caption = f'<caption style="{style}">{html.escape(table.caption)}</caption>'
    return '<table style="color:inherit">\n' + caption + "\n" + "\n".join(rows) + "\n</table>"
