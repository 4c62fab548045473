"""What people say about attention: docs/claims.md, written from docs/claims.toml by make links."""

import re
import sys
import tomllib
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from nbformat import NotebookNode

from tools.notebooks.minutes import STAMP
from tools.notebooks.notebook_files import ROOT, read_notebook
from tools.site.syllabus import LESSONS

VERDICTS = ("true only", "true", "false", "depends")
BOLD = re.compile(r"\*\*(.+?)\*\*")
HEADING = re.compile(r"^#{1,4} (.+)$", re.MULTILINE)
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Claim:
    subject: str
    says: str
    verdict: str
    measured: str
    lesson: str
    cell: str

    @property
    def kind(self) -> str:
        """Return which of VERDICTS it is.

        Raises:
            ValueError: the verdict begins with none of them.
        """
        for kind in VERDICTS:
            if re.match(rf"{kind}\b", self.verdict):
                return kind
        raise ValueError(f"{self.says!r}: the verdict begins with one of {VERDICTS}")

    @property
    def number(self) -> str:
        """Return the number in bold.

        Raises:
            ValueError: not exactly one is in bold.
        """
        bold = BOLD.findall(self.measured)
        if len(bold) != 1:
            raise ValueError(f"{self.says!r}: one number of `measured` is in **bold**, got {bold}")
        return bold[0]

    @property
    def notebook(self) -> Path:
        return ROOT / "notebooks" / f"{LESSONS[self.lesson].name}.ipynb"


def read_table() -> dict:
    return tomllib.loads((ROOT / "docs" / "claims.toml").read_text(encoding="utf-8"))


def read_claims() -> list[Claim]:
    return [
        Claim(subject["title"], **claim)
        for subject in read_table()["subject"]
        for claim in subject["claim"]
    ]


def place_of(notebook: NotebookNode, cell_id: str) -> int:
    """Return where the cell stands.

    Raises:
        ValueError: there is no such cell.
    """
    for i, cell in enumerate(notebook.cells):
        if cell.id == cell_id:
            return i
    raise ValueError(f"there is no cell {cell_id!r}")


def heading_of(notebook: NotebookNode, cell_id: str) -> str:
    """Return the last heading at or before a cell, without number, minutes and formulas."""
    for cell in reversed(notebook.cells[: place_of(notebook, cell_id) + 1]):
        if cell.cell_type == "markdown":
            headings = HEADING.findall(FENCED.sub("", cell.source))
            if headings:
                title = STAMP.sub("", headings[-1].strip())
                return re.sub(r"^\d+(\.| ·) ", "", title)
    raise ValueError(f"no heading stands before cell {cell_id!r}")


def page(claims: list[Claim]) -> str:
    """Return the page of all claims, by subject: folded, but the first."""
    kinds = [claim.kind for claim in claims]
    counts = {kind.split()[-1]: kinds.count(kind) for kind in VERDICTS}
    lines = []
    notebooks = {claim.lesson: read_notebook(claim.notebook) for claim in claims}
    for subject, group in groupby(claims, lambda claim: claim.subject):
        own = list(group)
        false = sum(claim.kind == "false" for claim in own)
        fold = f'<details class="claims"{" open" * (own[0] is claims[0])}>'
        summary = f"<summary>{false} of {len(own)} claims are false</summary>"
        lines.append(f"\n## {subject}\n\n{fold}{summary}\n")
        for claim in own:
            says = re.sub(r"(?<!\*)\*(?!\*)", "", claim.says)
            quoted = says if says.startswith('"') else f'"{says}"'
            label = f'<span class="verdict {claim.kind.split()[-1]}">{claim.verdict}</span>'
            heading = heading_of(notebooks[claim.lesson], claim.cell)
            link = f"[{claim.lesson}: {heading}](../notebooks/{claim.notebook.name}#{claim.cell})"
            lines.append(f"- {quoted} {label}\n\n  {claim.measured} {link}")
        lines.append("\n</details>")
    head = read_table()["head"].format(count=len(claims), **counts)
    return head + "\n".join([*lines, ""])


def main() -> int:
    path = ROOT / "docs" / "claims.md"
    try:
        text = page(read_claims())
    except (ValueError, KeyError) as error:
        print(f"docs/claims.toml: {error}", file=sys.stderr)
        return 1
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
        print("docs/claims.md: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
