"""What an examination hands back: for each test a verdict, plain words and a small picture.

``influence`` and ``same`` make a finding of what was measured.
"""

import html
from collections.abc import Callable
from dataclasses import dataclass

import torch

from course_checks.examine.measuring import Probe
from course_lib.figures.colours import EFFECTS

PASSED, FAILED, WARNING, NOT_APPLICABLE = "passed", "failed", "warning", "not applicable"
MARKS = {PASSED: "✔", FAILED: "✘", WARNING: "!", NOT_APPLICABLE: "–"}
WRONG = "#c2306f"
PURPLE, _, GREEN = (f"#{colour}" for colour in EFFECTS["light"].split())  # no role's colours
EDGES = {PASSED: "#009e73", FAILED: WRONG, WARNING: PURPLE, NOT_APPLICABLE: "#8a8f98"}

# One sign for each kind of cell, so that a picture can be read without its colours.
MOVED, STILL, MUST_NOT, MUST, NAN = "■", "·", "✘", "○", "?"
COLOURS = {
    MOVED: "#3b4a5f66",
    STILL: "#88888822",
    MUST_NOT: WRONG + "cc",
    MUST: GREEN + "44",
    NAN: PURPLE + "55",
}

Path = bool | None
IF_POSITIONS = (
    "If it adds positions itself, or cuts the sequence into blocks or windows, pass "
    "has_positions=True."
)
PATHS = {False: "without weights", True: "with weights"}


@dataclass(frozen=True)
class Picture:
    """A table of signs. ``meanings`` says what each sign of it stands for."""

    cells: tuple[tuple[str, ...], ...]
    rows: str
    columns: str
    meanings: dict[str, str]

    def legend(self) -> dict[str, str]:
        """Only the signs that occur."""
        there = {sign for row in self.cells for sign in row}
        return {sign: meaning for sign, meaning in self.meanings.items() if sign in there}

    def __str__(self) -> str:
        lines = [f"rows: {self.rows}, columns: {self.columns}"]
        lines += [" ".join(row) for row in self.cells]
        return "\n".join([*lines, ", ".join(" = ".join(item) for item in self.legend().items())])

    def to_html(self) -> str:
        size = "width:1.5em;min-width:1.5em;height:1.5em;padding:0;text-align:center"
        edge = "border:1px solid #8886"
        lines = []
        for row in self.cells:
            cells = "".join(
                f'<td style="{size};{edge};background:{COLOURS[sign]}">{sign}</td>' for sign in row
            )
            lines.append(f"<tr>{cells}</tr>")
        legend = "<br>".join(
            f"{sign} {html.escape(meaning)}" for sign, meaning in self.legend().items()
        )
        axes = f"Rows: {html.escape(self.rows)}. Columns: {html.escape(self.columns)}."
        table_style = "border-collapse:collapse;margin:0.3em 0;line-height:1;font-size:0.85em"
        return (
            f'<table style="{table_style}" aria-label="{axes}">'
            f"{''.join(lines)}</table><small>{axes}<br>{legend}</small>"
        )


@dataclass(frozen=True)
class Finding:
    """What one test found.

    Attributes:
        test: its name.
        status: "passed", "failed", "warning" (it depends on the use whether it harms) or
            "not applicable".
        words: what was seen, or why the test was not run.
        picture: what moved and what did not; None where nothing was measured.
    """

    test: str
    status: str
    words: str
    picture: Picture | None = None

    def __str__(self) -> str:
        lines = [f"{MARKS[self.status]} {self.test}: {self.words}"]
        if self.picture is not None and self.status in (FAILED, WARNING):
            lines += ["    " + line for line in str(self.picture).splitlines()]
        return "\n".join(lines)

    def to_html(self) -> str:
        edge = EDGES[self.status]
        style = f"border-left:4px solid {edge};padding:0 0 0 0.8em;width:17em;overflow-x:auto"
        picture = "" if self.picture is None else self.picture.to_html()
        return (
            f'<div style="{style}"><strong>{MARKS[self.status]} {html.escape(self.test)}</strong> '
            f"<small>{self.status}</small><br>{html.escape(self.words)}{picture}</div>"
        )


@dataclass(frozen=True, repr=False)
class Report:
    """The findings on one layer, as text with ``print`` and with pictures in a notebook.

    Attributes:
        findings: one for each test.
        looks_like: the known mistakes whose whole pattern was measured, name by name with a
            sentence; empty where nothing fits, or nothing failed.
        not_tested: what the tests say nothing about, each with a sentence.
    """

    findings: tuple[Finding, ...]
    looks_like: dict[str, str]
    not_tested: dict[str, str]

    @property
    def passed(self) -> bool:
        """Whether no test failed."""
        return not any(finding.status == FAILED for finding in self.findings)

    def __getitem__(self, test: str) -> Finding:
        """The finding of one test, by its name."""
        for finding in self.findings:
            if finding.test == test:
                return finding
        names = ", ".join(finding.test for finding in self.findings)
        raise KeyError(f"no test is called {test!r}; there are {names}")

    def headline(self) -> str:
        statuses = [finding.status for finding in self.findings]
        counts = {status: statuses.count(status) for status in MARKS}
        return ", ".join(f"{count} {status}" for status, count in counts.items() if count)

    def __str__(self) -> str:
        names = [f"This looks like {sentence}" for sentence in self.looks_like.values()]
        run = map(str, self._that_ran())
        not_run = [*self._left_out(), *(f"not tested: {why}" for why in self.not_tested.values())]
        marked = [f"{MARKS[NOT_APPLICABLE]} {line}" for line in not_run]
        return "\n".join([self.headline(), *names, *run, *marked])

    __repr__ = __str__

    def _that_ran(self) -> list[Finding]:
        """What failed comes first."""
        order = (FAILED, WARNING, PASSED)
        ran = [finding for finding in self.findings if finding.status in order]
        return sorted(ran, key=lambda finding: order.index(finding.status))

    def _left_out(self) -> list[str]:
        """A line for each reason why tests were not run."""
        why: dict[str, list[str]] = {}
        for finding in self.findings:
            if finding.status == NOT_APPLICABLE:
                why.setdefault(finding.words, []).append(finding.test)
        return [f"{', '.join(tests)}: {words}" for words, tests in why.items()]

    def _repr_html_(self) -> str:
        """The same as HTML. Colours are translucent, so that both themes keep contrast."""
        names = "".join(
            f"<p><strong>This looks like</strong> {html.escape(sentence)}</p>"
            for sentence in self.looks_like.values()
        )
        cards = "\n".join(finding.to_html() for finding in self._that_ran())
        why = [*self._left_out(), *self.not_tested.values()]
        count = len(self.findings) - len(self._that_ran()) + len(self.not_tested)
        rows = "\n".join(f"<li>{html.escape(line)}</li>" for line in why)
        fold = f"<summary>{count} not tested, and why</summary><ul>\n{rows}\n</ul>"
        left_out = f'<details style="font-size:.85em">{fold}</details>' if why else ""
        flow = "display:flex;flex-wrap:wrap;gap:1.2em 1.6em;align-items:flex-start"
        return (
            f"<p><strong>{html.escape(self.headline())}</strong></p>{names}"
            f'<div style="{flow}">\n{cards}\n</div>{left_out}'
        )


def influence(
    test: str,
    probe: Probe,
    tables: dict[Path, torch.Tensor],
    may: torch.Tensor,
    must: torch.Tensor,
    words: tuple[str, str, str],
    axes: tuple[str, str] = ("output", "changed token"),
) -> Finding:
    """Judge who moves whom: ``may`` and ``must`` are what is allowed and demanded.

    ``words`` say that all is well, that {row} moved with {column} and must not, and that it did
    not and must. An output that is nan before anything is changed is not judged: the first test
    tells of it.
    """
    fine, leak, blind = words
    verdicts, broken, bad = {}, {}, []
    for path, moved in tables.items():
        probe.tables[test, path] = moved
        broken[path] = _nan_rows(probe, path, len(moved))
        wrong, missing = moved & ~may, must & ~moved
        verdict = torch.where(wrong, 2, torch.where(missing, 3, moved.int()))
        verdicts[path] = verdict.masked_fill(broken[path], 4)
        if ((wrong | missing) & ~broken[path]).any():
            bad.append(path)
    shown = bad[0] if bad else probe.paths[0]
    verdict = verdicts[shown]
    text = fine
    if bad:
        sentences = []
        for kind, sentence, base in ((2, leak, ~may), (3, blind, must)):
            pairs = (verdict == kind).nonzero().tolist()
            if pairs:
                row, column = pairs[0]
                sentences.append(sentence.format(row=row, column=column))
                sentences.append(
                    f"That is so for {len(pairs)} of {(base & ~broken[shown]).sum()} such pairs."
                )
        text = " ".join(sentences) + only_on(probe, bad)
    meanings = {
        MOVED: "moved, as it may",
        STILL: "did not move",
        MUST_NOT: "moved and must not",
        MUST: "did not move and must",
    }
    if broken[shown].any():
        meanings[NAN] = "nan, so nothing to compare"
    return Finding(test, FAILED if bad else PASSED, text, picture(verdict, *axes, meanings))


def _nan_rows(probe: Probe, path: Path, length: int) -> torch.Tensor:
    """Which outputs are nan as they come (length, 1); False where that was not measured."""
    broken = probe.tables.get(("broken", path))  # (sequences, length)
    if broken is None or broken.shape[-1] != length:
        return torch.zeros(length, 1, dtype=torch.bool)
    return broken.any(dim=0)[:, None]


def same(
    test: str,
    probe: Probe,
    tables: dict[Path, torch.Tensor],
    words: tuple[str, str],
    axes: tuple[str, str] = ("sequence", "token"),
) -> Finding:
    """Judge outputs that must be the same: ``tables`` is True where they differ."""
    fine, differ = words
    for path, table in tables.items():
        probe.tables[test, path] = table
    bad = [path for path, table in tables.items() if table.any()]
    table = tables[bad[0] if bad else next(iter(tables))]
    text = fine
    if bad:
        row, column = table.nonzero()[0].tolist()
        count = f"{table.sum()} of {table.numel()} outputs differ."
        text = f"{differ.format(row=row, column=column)} {count}{only_on(probe, bad)}"
    meanings = {STILL: "the same", MUST_NOT: "differs"}
    return Finding(test, FAILED if bad else PASSED, text, picture(2 * table, *axes, meanings))


def picture(codes: torch.Tensor, rows: str, columns: str, meanings: dict[str, str]) -> Picture:
    signs = (STILL, MOVED, MUST_NOT, MUST, NAN)
    cells = tuple(tuple(signs[code] for code in row) for row in codes.int().tolist())
    return Picture(cells, rows, columns, meanings)


def only_on(probe: Probe, bad: list[Path]) -> str:
    """Name the path where one fails and the other does not."""
    if len(bad) == len(probe.paths) or bad == [None]:
        return ""
    return (
        f" Only when it is called {' and '.join(PATHS[path] for path in bad if path is not None)}."
    )


def not_applicable(test: str, why: str) -> Finding:
    return Finding(test, NOT_APPLICABLE, why)


def on_each_path(probe: Probe, measure: Callable[[Path], torch.Tensor]) -> dict:
    return {path: measure(path) for path in probe.paths}


def separate(probe: Probe, test: str, judge: Callable[[], Finding]) -> Finding:
    """Run a test that gives keys beside the queries, where the layer takes them."""
    if probe.layer.memory is not None:
        return not_applicable(
            test,
            "Outputs depend on other tokens of the first input, as in a decoder layer. In "
            "cross-attention they must not.",
        )
    if not probe.layer.takes_keys:
        return not_applicable(test, "The layer takes no keys beside its queries.")
    try:
        return judge()
    except Exception as error:  # whatever somebody's layer raises
        return not_applicable(test, f"The layer refuses keys beside its queries: {error}")
