"""Figures for phones: a page shows the form of a figure that fits it.

Each figure is drawn a second time when its lesson runs for the site (course_lib.figures.phone), and
lies as a file beside the pages. Notebooks do not hold it.
"""

import base64
import hashlib
import re
import struct
from pathlib import Path

from nbformat import NotebookNode

from tools.notebooks.stored_figures import stored_png

NARROW = "(max-width: 600px)"
FOLDER = Path("phone")  # in _static
FIGURE = re.compile(r'<img class="course-figure"[^>]* src="data:image/png;base64,([^"]*)"[^>]*>')


def phone_pictures(notebook: NotebookNode, figures: dict[str, list[dict]]) -> dict[str, dict]:
    """Return the narrow form of each figure by the base64 of the wide one.

    Args:
        notebook: as it is stored.
        figures: what its run hands over, by the ids of its cells.

    Raises:
        ValueError: a cell stores another number of figures than its run drew.
    """
    narrow: dict[str, dict] = {}
    for cell in notebook.cells:
        pictures = [stored_png(output) for output in cell.get("outputs", [])]
        stored = [picture for picture in pictures if picture is not None]
        drawn = figures.get(cell.id, [])
        if len(stored) != len(drawn):
            raise ValueError(
                f"cell {cell.id} stores {len(stored)} figures and draws {len(drawn)}: "
                "`make refresh`"
            )
        narrow |= dict(zip(stored, drawn, strict=True))
    return narrow


def with_phone_pictures(page: NotebookNode, narrow: dict[str, dict], top: str) -> dict[Path, bytes]:
    """Let each figure of a page choose between its two forms, in place; return files of _static.

    Args:
        page: a notebook as the site shows it.
        narrow: see ``phone_pictures``.
        top: the way from the page to the site's first folder, such as ``../``.
    """
    files: dict[Path, bytes] = {}

    def both(match: re.Match) -> str:
        if (phone := narrow.get(match[1])) is None:
            return match[0]
        content = base64.b64decode(phone["png"])
        path = FOLDER / f"{hashlib.sha256(content).hexdigest()[:16]}.png"
        files[path] = content
        across, down = struct.unpack(">II", content[16:24])
        size = f'width="{phone["width"]}" height="{round(phone["width"] * down / across)}"'
        address = f"{top}_static/{path.as_posix()}"
        source = f'<source media="{NARROW}" srcset="{address}" {size}>'
        return f"<picture>{source}{match[0]}</picture>"

    for cell in page.cells:
        if cell.cell_type == "markdown":
            cell.source = FIGURE.sub(both, cell.source)
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                output.data["text/html"] = FIGURE.sub(both, output.data["text/html"])
    return files
