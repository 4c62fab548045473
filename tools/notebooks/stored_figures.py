"""The pictures that course_lib's style stores in notebooks: HTML with one PNG in it.

The PNG depends on the fonts of a machine, so it is no output to compare.
"""

import re

from nbformat import NotebookNode

FIGURE = re.compile(
    r"<style>\n\.course-figure [^<]*</style>\n"
    r'<img class="course-figure" width="\d+" alt="([^"]*)" '
    r'src="data:image/png;base64,([A-Za-z0-9+/=]*)">'
)


def stored_png(output: NotebookNode) -> str | None:
    """The base64 of the picture, or None where this output is none of the style's figures."""
    html = output.get("data", {}).get("text/html")
    figure = FIGURE.fullmatch(html) if isinstance(html, str) else None
    return figure[2] if figure else None


def kinds_of_pictures(output: NotebookNode) -> list[str]:
    """What an output shows as a picture: formats of images, "course-figure", "course-drawing"."""
    data = output.get("data", {})
    kinds = [kind for kind in data if kind.startswith("image/")]
    return kinds + re.findall(
        '<img class="(course-figure|course-drawing)"', data.get("text/html", "")
    )


def without_pictures(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """The outputs with the words of each figure in place of its picture."""
    kept = []
    for output in outputs:
        if stored_png(output) is not None:
            words = FIGURE.sub(r"\1", output["data"]["text/html"])
            output = NotebookNode(output | {"data": output["data"] | {"text/html": words}})
        kept.append(output)
    return kept
