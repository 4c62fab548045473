"""What an examination hands back: for each test a verdict, plain words and a small picture."""

import html
from dataclasses import dataclass

PASSED, FAILED, WARNING, NOT_APPLICABLE = "passed", "failed", "warning", "not applicable"
MARKS = {PASSED: "✔", FAILED: "✘", WARNING: "!", NOT_APPLICABLE: "–"}
EDGES = {PASSED: "#009e73", FAILED: "#d55e00", WARNING: "#b8860b", NOT_APPLICABLE: "#8a8f98"}

# One sign for each kind of cell, so that a picture can be read without its colours.
MOVED, STILL, MUST_NOT, MUST, NAN = "■", "·", "✘", "○", "?"
COLOURS = {
    MOVED: "#0072b255",
    STILL: "#88888822",
    MUST_NOT: "#d55e00cc",
    MUST: "#e6a00066",
    NAN: "#b8860b66",
}


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
        lines = [self.headline(), *names, *run, *self._left_out(), *self._open()]
        return "\n".join(lines)

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
        return [
            f"{MARKS[NOT_APPLICABLE]} {', '.join(tests)}: {words}" for words, tests in why.items()
        ]

    def _open(self) -> list[str]:
        return [f"{MARKS[NOT_APPLICABLE]} not tested: {line}" for line in self.not_tested.values()]

    def _repr_html_(self) -> str:
        """The same as HTML. Colours are translucent, so that both themes keep contrast."""
        names = "".join(
            f"<p><strong>This looks like</strong> {html.escape(sentence)}</p>"
            for sentence in self.looks_like.values()
        )
        cards = "\n".join(finding.to_html() for finding in self._that_ran())
        left_out = "\n".join(
            f"<li>{html.escape(line)}</li>" for line in [*self._left_out(), *self._open()]
        )
        left_out = left_out and f'<ul style="list-style:none;padding:0">\n{left_out}\n</ul>'
        flow = "display:flex;flex-wrap:wrap;gap:1.2em 1.6em;align-items:flex-start"
        return (
            f"<p><strong>{html.escape(self.headline())}</strong></p>{names}"
            f'<div style="{flow}">\n{cards}\n</div>{left_out}'
        )
