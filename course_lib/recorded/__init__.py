"""Results of experiments that take too long for a lesson, one table for each.

A table says for each seed and setting what came out. Its experiment stands in a lesson, in the
cells tagged ``recorded``; ``make record X=NAME`` runs these cells for all seeds and writes
``NAME.csv`` here.
"""

import csv
from importlib.resources import files


def load_table(name: str) -> list[dict[str, bool | int | float | str]]:
    """Return the rows of a table: seed, settings and results by name.

    Args:
        name: such as "pointer_heads".

    Raises:
        ValueError: there is no such table.
    """
    table = files(__name__) / f"{name}.csv"
    if not table.is_file():
        known = sorted(
            path.name.removesuffix(".csv")
            for path in files(__name__).iterdir()
            if path.name.endswith(".csv")
        )
        raise ValueError(f"name must be one of {known}, got {name!r}")
    lines = table.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return [{key: _value(text) for key, text in row.items()} for row in rows]


def _value(text: str) -> bool | int | float | str:
    if text in ("True", "False"):
        return text == "True"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text
