"""How the tables are written, whole or not at all and harmless in a spreadsheet, and read."""

import csv
import io
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
    begins_like_one = cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    return "'" + cell if begins_like_one and cell != "-" else cell  # Moodle writes "-" for nothing


def read_table(path: Path) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """Read a table that a person or a platform wrote: its columns, and its rows with their lines.

    Columns may be separated by commas, semicolons (as spreadsheets do where the decimal mark is a
    comma) or tabs. An empty field is "". ValueError where it is no text in UTF-8.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not in UTF-8: save it as 'CSV UTF-8'.") from None
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    columns = list(reader.fieldnames or [])
    return columns, [
        (reader.line_num, {name: row.get(name) or "" for name in columns}) for row in reader
    ]
