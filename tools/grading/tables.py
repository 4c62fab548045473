"""How the tables are written: whole or not at all, and harmless in a spreadsheet."""

import csv
import os
import tempfile
from pathlib import Path


def write_table(path: Path, head: list[str], rows: list[list[str]]) -> None:
    """Write ``rows`` below ``head`` as CSV, in place of what is there."""
    with tempfile.NamedTemporaryFile(
        "w", newline="", encoding="utf-8", dir=path.parent, delete=False
    ) as file:
        csv.writer(file).writerows([head, *([harmless(cell) for cell in row] for row in rows)])
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def harmless(cell: str) -> str:
    """A spreadsheet runs what starts like a formula, such as a file called =1+1.ipynb."""
    return "'" + cell if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
