"""Drawings for phones: pieces below one another, with arrows that run downwards.

Lessons store the wide form. The site gives a picture both, and it shows the one that fits. Where
the wide form is shown smaller than it was drawn, its words are larger in it, in narrower letters
where the font has them. A piece is a grid or a box, with the words and frames that belong to it.
It moves as it is. What the arrows connect is read from those of the wide form.
"""

import ast
import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from nbformat import NotebookNode

from course_lib.figures import drawings
from course_lib.figures.drawings import Drawing
from course_lib.figures.drawings.marks import (
    LETTER,
    Box,
    Mark,
    Point,
    arrow,
    drawn,
    rectangle,
    words_mark,
)
from tools.notebooks.cell_code import syntax_tree
from tools.notebooks.stored_figures import kinds_of_pictures
from tools.site.narrow_figure import balanced

WIDTH, EDGE, LANES = 344, 5, 14  # and the room beside a row, and one that lines pass
CLOSE, BELOW = 30, 12  # grids that are nearer are one piece, and a box with a grid so near below
FAR, TITLE = 50, 16  # words farther from all stand at the bottom; from a name to what it names
REACH, TIP = 8, 17  # a line begins and ends so near to what it connects; with a tip
GAP, ARROW, SLANT = 12, 32, 44  # between two rows: with no arrow, with one, with one that slants
HEAD = 10  # from the end of a line, which has a tip, to what it points at
BESIDE, PORT = 6, 16  # between pieces, and from one line to the next
LANE, HIGH = 9, 7  # from a piece to a line below or beside it, and to one above it
IMAGE = re.compile(r'(<img class="course-drawing")([^>]*;base64,([^"]*)")')
ROOM = 8  # beside the wide form, for words that are larger
SIZES = "font-size: 15px; font-stretch: 87%; --name: 16px; --number: 13.7px; --tight: -0.5px"
LARGER = f"(max-width: 800px) {{ svg.wide {{ {SIZES}; }} }}"
STYLE = """.narrow {{ display: none; }}
.name {{ font-size: var(--name, 15px); }}
[font-size="11"] {{ font-size: var(--number, 11px); letter-spacing: var(--tight, 0); }}
@media {larger}
@container {larger}
@media (max-aspect-ratio: 1/1) {{
.wide {{ display: none; }}
.narrow {{ display: inline; }}
[font-size="11"] {{ font-size: 11.5px; }}
{moves}
}}
"""


def with_narrow_drawings(page: NotebookNode, lesson: NotebookNode) -> None:
    """Give the drawings of a page, live ones too, their narrow form, in place.

    Args:
        page: a notebook as the site shows it.
        lesson: as it is stored.
    """
    forms = {_base64(one.svg): both_forms(one) for one in drawings_of(lesson.cells)}

    def with_sizes(match: re.Match) -> str:
        if match[3] not in forms:
            return match[0]
        wide, narrow = re.findall(r'viewBox="\S+ 0 (\d+) (\d+)"', forms[match[3]])
        sizes = f"--wide: {'/'.join(wide)}; --narrow: {'/'.join(narrow)}"
        return f'{match[1]} style="{sizes}"{match[2]}'

    def both(html: str) -> str:
        html = IMAGE.sub(with_sizes, html)
        for wide, svg in forms.items():
            html = html.replace(wide, _base64(svg))
        return html

    for cell in page.cells:
        cell.source = both(cell.source) if cell.cell_type == "markdown" else cell.source
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                output.data["text/html"] = both(output.data["text/html"])


def _base64(svg: str) -> str:
    return base64.b64encode(svg.encode()).decode()


def drawings_of(cells: Iterable[NotebookNode]) -> Iterator[Drawing]:
    """The drawings that cells make and show."""
    for cell in cells:
        kinds = [kind for output in cell.get("outputs", []) for kind in kinds_of_pictures(output)]
        nodes = ast.walk(syntax_tree(cell)) if "course-drawing" in kinds else ()
        for node in (node for node in nodes if isinstance(node, ast.Call)):
            name = getattr(node.func, "id", "")
            if name != "Drawing" and name in drawings.__all__:
                given = {str(word.arg): ast.literal_eval(word.value) for word in node.keywords}
                yield getattr(drawings, name)(*map(ast.literal_eval, node.args), **given)


def both_forms(drawing: Drawing) -> str:
    """Return the SVG of a drawing with its narrow form: a tall place shows that one."""
    parts = {name: [replace(mark) for mark in marks] for name, marks in drawing.marks.items()}
    stack = Stack(parts, drawing.rows)
    svg = drawing.svg
    for name, marks in stack.drawn().items():
        begin = f'part-{name}">'
        svg = svg.replace(f"{begin}{drawn(drawing.marks[name])}</g>", f"{begin}{marks}</g>")
    moves = [(i, *map(round, piece.by)) for i, piece in enumerate(stack.pieces)]
    rules = "\n".join(f".p{i} {{ transform: translate({x}px, {y}px); }}" for i, x, y in moves)
    grids = {mark.name: [*map(round, piece.by)] for mark, piece in stack.owner.items() if mark.name}
    svg = svg.replace("</style>", f"{STYLE.format(moves=rules, larger=LARGER)}</style>")
    svg = re.sub(r' viewBox="[^"]+"', ' width="100%" height="100%"', svg, count=1)
    (width, height), use = drawing.size, '<use href="#drawing"/></svg>'
    known = escape(json.dumps(grids), quote=True)
    return svg.replace('<g id="drawing"', '<defs><g id="drawing"').removesuffix("</svg>") + (
        f'</defs><svg class="wide" viewBox="{-ROOM} 0 {width + 2 * ROOM} {height}">{use}'
        f'<svg class="narrow" viewBox="0 0 {stack.size[0]} {stack.size[1]}" data-moves="{known}">'
        f"{use}</svg>"
    )


class Place(Box):
    """Where something is drawn."""

    @property
    def middle(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    @property
    def width(self) -> float:
        return self.right - self.left

    def holds(self, other: Box) -> bool:
        return around([self, other]) == self

    def moved(self, x: float, y: float) -> "Place":
        return Place(self.left + x, self.top + y, self.right + x, self.bottom + y)


def around(boxes: Sequence[Box]) -> Place:
    left, top, right, bottom = zip(*boxes, strict=True)
    return Place(min(left), min(top), max(right), max(bottom))


def apart(one: Box, other: Box) -> float:
    across = max(one.left - other.right, other.left - one.right, 0)
    return hypot(across, max(one.top - other.bottom, other.top - one.bottom, 0))


@dataclass(eq=False)
class Piece:
    called: str = ""  # where it has a name of its own
    cores: list[Mark] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    by: Point = (0, 0)  # so far it moves

    @property
    def core(self) -> Place:
        return around([mark.box for mark in self.cores]).moved(*self.by)

    @property
    def box(self) -> Place:
        return around([mark.box for mark in self.marks]).moved(*self.by)

    def at(self, height: float) -> Place:
        """The place of what an arrow at this height would meet."""
        boxes = [Place(*mark.box).moved(*self.by) for mark in self.marks]
        return around([box for box in boxes if box.top - 2 <= height <= box.bottom + 2])


class Edge(NamedTuple):
    source: Piece
    target: Piece
    role: str
    part: str
    slants: bool


class Stack:
    """The pieces of a drawing in rows.

    Args:
        parts: the marks of each part.
        rows: ``X > W_Q & W_K > scores``: pieces by their words or by the name of a grid, and those
            that stand beside one another behind ``&``; the first that is left of those that are
            alike. ``{a b}`` are whole parts that stay together, ``[words]`` stand alone.

    Raises:
        ValueError: a row names what is not there, or a piece stands in none.
    """

    def __init__(self, parts: Mapping[str, Sequence[Mark]], rows: str):
        self.parts = parts
        self.pieces: list[Piece] = []
        self.owner: dict[Mark, Piece] = {}
        self.bands: dict[Mark, list[Piece]] = {}  # around whole pieces
        loose = self._find_pieces(rows)
        self.edges = self._find_edges()
        left = list(self.pieces)
        names = [row.split(" & ") for row in rows.split(" > ")]
        self.rows = [[_take(name, left) for name in row] for row in names]
        if forgotten := [mark.words for p in left if p not in loose for mark in p.marks]:
            raise ValueError(f"rows must name each piece; none has {forgotten}")
        self.rows += [[piece] for piece in left]
        self.row_of = {piece: i for i, row in enumerate(self.rows) for piece in row}
        self.size = WIDTH, round(self._place(left))

    def _find_pieces(self, rows: str) -> list[Piece]:
        """Sort the marks into pieces; return those of words that are far from all others."""
        alone, loose = re.findall(r"\[(.+?)\]", rows), []
        together = {names: Piece(f"{{{names}}}") for names in re.findall(r"{(.+?)}", rows)}
        for part, marks in self.parts.items():
            cores = [mark for mark in marks if mark.kind in ("grid", "box")]
            whole = [piece for names, piece in together.items() if part in names.split()]
            for piece in whole or [Piece(cores=group) for group in _joined(cores)]:
                piece.cores += cores if whole else []
                self.owner |= dict.fromkeys(cores if whole else piece.cores, piece)
                self.pieces += [piece] if piece not in self.pieces else []
            for mark in (m for m in marks if m.kind != "line" and "wide" not in m.role):
                box = Place(*mark.box)
                if mark.role.startswith("name"):
                    box = box._replace(bottom=box.bottom + TITLE)
                own = [core for core in cores if mark.name and core.name == mark.name]
                near = min(own or cores, key=lambda core: apart(core.box, box), default=None)
                inside = [core for core in cores if box.holds(core.box)]
                is_near = near is not None and apart(near.box, box) <= FAR
                if mark.kind == "band" and inside and not whole:
                    self.bands[mark] = list(dict.fromkeys(self.owner[core] for core in inside))
                elif mark.kind == "words" and (mark.words in alone or not is_near):
                    self.pieces.append(Piece(f"[{mark.words}]", [mark], [mark]))
                    self.owner[mark] = self.pieces[-1]
                    loose += [] if mark.words in alone else self.pieces[-1:]
                elif near:
                    piece = self.owner.setdefault(mark, self.owner[near])
                    piece.marks.append(mark)
        return loose

    # ------------------------------------------------------------ what the arrows connect

    def _find_edges(self) -> list[Edge]:
        lines = {m: part for part, marks in self.parts.items() for m in marks if m.kind == "line"}
        self.ends = [
            (mark, piece)
            for mark, piece in self.owner.items()
            if mark in piece.cores or mark.role[:4] == "name" or (mark.name and mark.role == "end")
        ]
        met = {line: self._met(line) for line in lines}
        edges: dict[Edge, None] = {}
        for line, part in lines.items():
            pieces = list(met[line])
            begins = met[line] and not min(met[line].values())
            inside = [p for p in self.pieces if p.called[:1] == "{" and p.box.holds(line.box)]
            if inside or (begins and pieces[1:] == [] and "tip" in line.svg):
                self.owner[line] = (inside or pieces)[0]
                self.owner[line].marks.insert(0, line)
                continue
            sources = [] if begins or not pieces else _sources(line, met)
            slants = any(x != right and y != low for (x, y), (right, low) in pairwise(line.points))
            for source, target in [*((source, pieces[0]) for source in sources), *pairwise(pieces)]:
                edges[Edge(source, target, line.role, part, slants)] = None
        return [edge for edge in edges if edge.source is not edge.target]

    def _met(self, line: Mark) -> dict[Piece, int]:
        """The pieces that a line meets, and after how many steps."""
        found: dict[Piece, int] = {}
        samples = list(_samples(line.points))
        reach = {0: REACH, len(samples) - 1: TIP if "tip" in line.svg else REACH}
        for i, at in enumerate(samples):
            near = [
                (apart(mark.box, at), k, piece)
                for k, (mark, piece) in enumerate(self.ends)
                if piece not in found and (mark.kind == "box" or i in reach)
            ]
            if near and min(near)[0] <= reach.get(i, 0):
                found[min(near)[2]] = i
        return found

    # ------------------------------------------------------------ places

    def _place(self, loose: Sequence[Piece]) -> float:
        """Move each piece to its place, and return the height of all."""
        bottom = 2.0 - GAP
        for i, row in enumerate(self.rows):
            rows_of = [[self.row_of[piece] for piece in edge[:2]] for edge in self.edges]
            edge = LANES if any(begin < i < end for begin, end in rows_of) else EDGE
            texts = [piece for piece in row if piece.called[:1] == "["]
            wide = sum(piece.box.width + BESIDE for piece in row if piece not in texts)
            for piece in row:
                room = WIDTH / len(row) - BESIDE
                if piece in texts:
                    room = (WIDTH - 2 * edge - wide) / len(texts) - BESIDE
                for mark in piece.marks:
                    _break(mark, room, piece.core, piece in loose)
            middle = {p: p.box.top if row == texts else p.core.middle[1] for p in row}
            above = max(middle[piece] - piece.box.top for piece in row)
            comes = [e.slants for e in self.edges if e.target in row and e.source not in row]
            top = bottom + (SLANT if any(comes) else ARROW if comes else GAP)
            for piece, left in zip(row, self._lefts(row, edge), strict=True):
                piece.by = (left - piece.box.left, top + above - middle[piece])
            bottom = max(piece.box.bottom for piece in row)
        return bottom + 4

    def _lefts(self, row: Sequence[Piece], edge: float) -> list[float]:
        """Where each piece of a row begins: its core in mid-column, as far as there is room.

        Words alone stand at the left, or beside what is on their left.
        """
        lefts, at = [], edge
        is_heading = len(row) == 1 and row[0].marks[0].role.startswith("start")
        columns = [piece for piece in row if piece.called[:1] != "["] or row[is_heading:]
        pairs = [{edge.source, edge.target} for edge in self.edges]
        gaps = [0, *(ARROW if {*two} in pairs else BESIDE for two in pairwise(row))]
        for k, piece in enumerate(row):
            middle = WIDTH * (columns.index(piece) + 0.5) / len(columns) if piece in columns else 0
            is_half = len(row) == 2 and {piece.called[:1] for piece in row} == {"["}
            own = WIDTH * 0.25 if is_half else piece.core.middle[0] - piece.box.left
            lefts.append(max(at + gaps[k], middle - own))
            at = lefts[-1] + piece.box.width
        most = WIDTH - edge
        for k in reversed(range(len(row))):
            lefts[k] = max(edge, min(lefts[k], most - row[k].box.width))
            most = lefts[k] - gaps[k]
        return lefts

    # ------------------------------------------------------------ the arrows

    def _arrow(self, edge: Edge, lanes: list[tuple[float, int, int]]) -> list[Point]:
        """The points of an arrow; it passes the rows between beside all that stands there."""
        source, target = edge[:2]
        i, j = self.row_of[source], self.row_of[target]
        if i == j:
            y = source.core.middle[1]
            here, there = source.at(y), target.at(y)
            if there.left > here.left:
                return [(here.right + 3, y), (there.left - HEAD, y)]
            return [(here.left - 3, y), (there.right + HEAD, y)]
        x, end = self._port(edge, 0), self._port(edge, 1)
        wider = max(source.core.width, target.core.width)
        if abs(x - end) < max(PORT, wider / 2 - PORT):  # straight, at the less wide one's middle
            x = end = x if source.core.width < wider else end
        between = [piece.box for row in self.rows[i + 1 : j] for piece in row]
        top, bottom = (x, source.box.bottom + 2), (end, target.box.top - HEAD)
        turn = around([piece.box for piece in self.rows[i]]).bottom + LANE
        if x == end and not any(box.left - 4 < x < box.right + 4 for box in between):
            return [top, bottom]
        if edge.slants:
            return [top, (end, bottom[1] - HEAD), bottom]
        if not between:
            return [top, (x, turn), (end, turn), bottom]
        places = []
        for side, step in (
            (around(between).left - LANE, -LANE),
            (around(between).right + LANE, LANE),
        ):
            while any(
                abs(at - side) < LANE and i < below and above < j for at, above, below in lanes
            ):
                side += step
            beside = [piece.core.middle[0] for piece in self.rows[i] if piece is not source]
            crossed = sum(min(x, side) < at < max(x, side) for at in beside)
            long = abs(side - x) + abs(side - end)
            places.append((not 2 <= side <= WIDTH - 2, crossed, long, side))
        lane = min(max(min(places)[-1], 2), WIDTH - 2)
        meets = any(above == i for _, above, _ in lanes) or any(
            self._port(other, 1) == x and other.source is not source
            for other in self.edges
            if (self.row_of[other.source], self.row_of[other.target]) == (i, i + 1)
        )
        nearer = 4 if meets else 0  # that they do not cover
        lanes.append((lane, i, j))
        turn -= nearer
        high = around([piece.box for piece in self.rows[j]]).top - HEAD - HIGH + nearer
        return [top, (x, turn), (lane, turn), (lane, high), (end, high), bottom]

    def _port(self, edge: Edge, at: int) -> float:
        """Where an arrow leaves its source (0) or comes to its target (1): beside the others."""
        piece, other_end = (edge.source, edge.target)[:: -1 if at else 1]
        ends = [(e.source, e.target)[:: -1 if at else 1] for e in self.edges]
        met = dict.fromkeys(other for here, other in ends if here is piece)  # in a fixed order
        others = [other for other in met if self.row_of[other] != self.row_of[piece]]
        places = sorted(others, key=lambda other: other.core.middle[0])
        step = min(PORT, piece.core.width / len(places))
        return piece.core.middle[0] + step * (places.index(other_end) - (len(places) - 1) / 2)

    # ------------------------------------------------------------ what is drawn

    def drawn(self) -> dict[str, str]:
        """The marks of each part: those of one form only, and each piece in a group of its own."""
        lanes: list[tuple[float, int, int]] = []
        arrows = [(e.part, arrow(e.role, self._arrow(e, lanes))) for e in self.edges]
        parts = {}
        for part, marks in self.parts.items():
            groups: dict[str, list[str]] = {"wide": [], "narrow": []}
            for mark in marks:
                if mark in self.bands:
                    box = around([piece.box for piece in self.bands[mark]]).grown(6)
                    groups["narrow"].append(rectangle(box, "band", round_by=8))
                kind = f"p{self.pieces.index(self.owner[mark])}" if mark in self.owner else "wide"
                groups.setdefault(kind, []).append(mark.svg)
            groups["narrow"] += [svg for name, svg in arrows if name == part]
            parts[part] = "".join(
                f'<g class="{kind}">{"".join(group)}</g>' for kind, group in groups.items() if group
            )
        return parts


def _take(name: str, left: list[Piece]) -> Piece:
    for piece in left:
        said = {words for mark in piece.marks for words in (mark.words, mark.name)}
        if name == piece.called or (name in said and not piece.called):
            left.remove(piece)
            return piece
    raise ValueError(f"rows must name pieces of the drawing; got {name!r}")


def _belong(one: Mark, other: Mark) -> bool:
    gap = apart(one.box, other.box)
    if one.kind == other.kind:
        are_alike = one.name.split()[:1] == other.name.split()[:1]
        return one.kind == "grid" and gap <= CLOSE and are_alike
    is_below = one.box.left < other.box.right and other.box.left < one.box.right
    return is_below and 0 < gap <= BELOW


def _joined(cores: Sequence[Mark]) -> list[list[Mark]]:
    """The cores that are one piece, in the order of the drawing."""
    groups: list[list[Mark]] = []
    for core in cores:
        near = [group for group in groups if any(_belong(core, other) for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(mark for group in near for mark in group), core])
    return sorted(groups, key=lambda group: cores.index(group[0]))


def _samples(points: Sequence[Point]) -> Iterator[Place]:
    """Places along a line, a few pixels apart."""
    for (x, y), (right, down) in pairwise(points):
        count = max(1, int(hypot(right - x, down - y) / 6))
        for i in range(count + 1):
            at = x + (right - x) * i / count, y + (down - y) * i / count
            yield Place(*at, *at)


def _sources(line: Mark, met: Mapping[Mark, dict[Piece, int]], *seen: Mark) -> list[Piece]:
    """Where a line comes from that begins at no piece: from lines that it leaves or that join."""
    found: list[Piece] = []
    for other in met:
        if other is line or other in seen:
            continue
        (begin, *_), (*_, end) = _samples(line.points), _samples(other.points)
        leaves = any(apart(at, begin) < 4 for at in _samples(other.points))
        if leaves or any(apart(at, end) < 4 for at in _samples(line.points)):
            pieces = list(met[other])
            begins = pieces and not met[other][pieces[0]]
            found += pieces[:1] if begins else _sources(other, met, line, *seen)
    return list(dict.fromkeys(found))


def _break(mark: Mark, room: float, core: Box, is_loose: bool) -> None:
    """Break words that are longer than the room that they have; the wide form keeps its line.

    Those that are loose begin at the left.
    """
    box, kind = Place(*mark.box), "start" if is_loose else mark.role
    if mark.kind != "words" or (box.width <= room and kind == mark.role):
        return
    lines = [part for line in mark.lines for part in balanced(line, int(room / LETTER))]
    x, y = mark.points[0]
    broken = words_mark(x, y, lines, kind)
    if box.bottom <= core.top:
        broken = words_mark(x, y + box.bottom - broken.box.bottom, lines, kind)
    mark.svg = f'<g class="wide">{mark.svg}</g><g class="narrow">{broken.svg}</g>'
    mark.box, mark.role = broken.box, kind
