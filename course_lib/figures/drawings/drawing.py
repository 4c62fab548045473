"""How a notebook shows a drawing: as an image, with its description as the text beside it.

The image has a light and a dark form, and a style beside it says which one the page wants:
JupyterLab, Colab and VS Code each tell it in their own way.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from course_lib.figures.colours import DARK_PAGES
from course_lib.figures.drawings.marks import Mark

_CHOICE = (
    ".course-drawing { color-scheme: light; display: block; width: min(100%, 900px); "
    "height: auto; }\n"
    + ", ".join(f"{page} .course-drawing" for page in DARK_PAGES)
    + " { color-scheme: dark; }"
)


@dataclass(frozen=True, repr=False)
class Drawing:
    """A drawing that shows itself in a notebook."""

    title: str
    description: str  # what it shows, in sentences, for those who do not see it
    svg: str  # also a file of its own
    size: tuple[int, int]  # width and height
    # What it can say of its numbers, for LiveDrawing.
    live: dict | None = field(default=None, compare=False)
    marks: Mapping[str, Sequence[Mark]] = field(default_factory=dict, compare=False)  # of each part
    rows: str = ""  # in which order a narrow page shows its pieces

    def __repr__(self) -> str:
        return f"{self.title}. {self.description}"

    def _repr_html_(self) -> str:
        picture = base64.b64encode(self.svg.encode()).decode()
        source = f"data:image/svg+xml;base64,{picture}"
        words = escape(repr(self), quote=True)
        return (
            f"<style>\n{_CHOICE}\n</style>\n"
            f'<img class="course-drawing" width="{self.size[0]}" height="{self.size[1]}" '
            f'alt="{words}" src="{source}">'
        )
