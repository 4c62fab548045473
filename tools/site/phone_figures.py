"""Figures for phones: a page shows the form of a figure that fits it.

A lesson that runs for the site hands its figures over (live_widgets.py). Each is drawn a second
time (narrow_figure.py) and lies as a file beside the pages. Notebooks do not hold it.
"""

import base64
import hashlib
import json
import pickle
import re
from pathlib import Path

import matplotlib.pyplot as plt
from nbformat import NotebookNode

from course_lib.figures.style import course_style, small_png
from tools.notebooks.stored_figures import stored_png
from tools.site import narrow_figure
from tools.site.page_images import height_of_png

NARROW = "(max-width: 600px)"
FOLDER = Path("phone")  # in _static
FIGURE = re.compile(r'<img class="course-figure"[^>]* src="data:image/png;base64,([^"]*)"[^>]*>')


def drawn(figures: dict[str, list[str]], folder: Path) -> dict[str, list[dict]]:
    """Return for each figure its narrow form: its width and its PNG, in base64.

    Args:
        figures: what a run hands over, by the ids of its cells: pickled, in base64.
        folder: keeps what was drawn, for as long as figure and drawing code stay the same.
    """
    return {
        cell: [_narrow_form(figure, folder) for figure in of_cell]
        for cell, of_cell in figures.items()
    }


def _narrow_form(figure: str, folder: Path) -> dict:
    code = Path(narrow_figure.__file__).read_bytes()
    file = folder / f"{hashlib.sha256(code + figure.encode()).hexdigest()[:16]}.json"
    if not file.is_file():
        with course_style():
            wide = pickle.loads(base64.b64decode(figure))
            width, picture = small_png(narrow_figure.for_phone(wide))
            plt.close(wide)
        form = {"width": width, "png": base64.b64encode(picture).decode()}
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(form), encoding="utf-8")
    return json.loads(file.read_text(encoding="utf-8"))


def phone_pictures(notebook: NotebookNode, figures: dict[str, list[dict]]) -> dict[str, dict]:
    """Return the narrow form of each figure by the base64 of the wide one.

    Args:
        notebook: as it is stored.
        figures: what ``drawn`` returns of its run.

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
        size = f'width="{phone["width"]}" height="{height_of_png(content, phone["width"])}"'
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
