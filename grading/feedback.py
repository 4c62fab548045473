"""The page that a student gets back, and that an instructor opens beside all others.

What a notebook shows there is not trusted. Its HTML keeps what the checks' tables need, pictures
are data, and everything else is text. Should something slip through, the page's own policy forbids
it to run or to load anything.
"""

import base64
import contextlib
import hashlib
import re
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from bleach.css_sanitizer import CSSSanitizer
from bleach.sanitizer import Cleaner
from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from pygments.formatters import HtmlFormatter

from course_checks.notebook.repair import GIVEN
from grading.by_hand import WHOLE
from grading.platforms import person
from grading.results import Judged, Result
from tools.notebooks.notebook_files import LINKS_LINE
from tools.notebooks.stored_figures import stored_png

TEMPLATES = Path(__file__).with_name("templates")
TAGS = {
    *("a", "b", "br", "caption", "code", "details", "div", "em", "figcaption", "figure", "hr", "i"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "li", "ol", "p", "pre", "small", "span", "strong", "sub"),
    *("summary", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
ATTRIBUTES = {
    "*": ["style"],
    "a": ["href"],
    "span": ["class"],  # of highlighted code in Markdown
    "td": ["colspan"],
    "th": ["colspan", "scope"],
}
STYLES = {
    *("align-items", "background", "background-color", "border", "border-collapse", "border-left"),
    *("border-radius", "color", "display", "flex-wrap", "font-family", "font-size", "font-weight"),
    *("gap", "list-style", "outline", "outline-offset", "overflow-x", "padding", "padding-left"),
    *("text-align", "white-space"),
}
# Of other functions, many load an address.
PLAIN_STYLE = re.compile(r"([^()\\]|\b(rgb|hsl)a?\([^()\\]*\))*")
PICTURES = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8"}
SHOWN = {"text/html", "text/markdown", "text/plain", "text/latex", *PICTURES}


def feedback_page(
    notebook: NotebookNode,
    result: Result,
    exercises: dict[str, str],
    notes: list[str],
    added: str = "",
) -> str:
    """Render an executed notebook with its points: what the student wrote, and what was said to it.

    What came with the exercise is left out, where it ran: students have it. The notebook is
    changed. ``exercises`` are names by check cell, ``notes`` lines of text on the grading, and
    ``added`` is a mark for what people added to the machine's points.
    """
    notebook.cells = [
        cell
        for cell in notebook.cells
        if not cell.metadata.get(GIVEN)
        or any(output.output_type == "error" for output in cell.get("outputs", []))
    ]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = LINKS_LINE.sub("", cell.source)
        for output in cell.get("outputs", []):
            _make_harmless(output)
    summary = _summary(result, exercises, notes) | {"added": added}
    page, _ = _exporter().from_notebook_node(notebook, {"feedback": summary})
    return page


def plain_page(result: Result, exercises: dict[str, str], notes: list[str], added: str = "") -> str:
    """The points alone, for a notebook that cannot be shown."""
    empty = NotebookNode(cells=[], metadata={}, nbformat=4, nbformat_minor=5)
    return feedback_page(empty, result, exercises, notes, added)


def _summary(result: Result, exercises: dict[str, str], notes: list[str]) -> dict[str, Any]:
    """What the template shows around the cells."""
    judged = result if isinstance(result, Judged) else Judged(**asdict(result))
    rows = [
        {
            "id": grade_id,
            "name": exercises.get(grade_id, grade_id),
            "earned": None if grade_id in result.by_hand else f"{earned:g}",
            "possible": f"{possible:g}",
            "by_hand": grade_id in judged.given,
            "comment": judged.comments.get(grade_id, ""),
        }
        for grade_id, (earned, possible) in result.points.items()
    ]
    style = page_style()
    return {
        "assignment": result.assignment,
        "student": person(result.student),
        "score": f"{judged.total:g}",
        "max_score": f"{result.max_score:g}",
        "comment": judged.comments.get(WHOLE, ""),
        "rows": rows,
        "points": {row["id"]: row for row in rows},
        "notes": notes,
        "style": style,
        "policy": policy(style),
    }


def policy(style: str) -> str:
    """A Content-Security-Policy for a page that needs one style sheet and pictures as data.

    Style attributes stay: they load nothing where no address may be loaded.
    """
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; img-src data:; style-src-elem 'sha256-{digest}'; "
        "style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    )


@cache
def page_style() -> str:
    """The page's style sheet, light and dark."""
    ours = (TEMPLATES / "feedback_page" / "feedback.css").read_text(encoding="utf-8")
    light = HtmlFormatter(style="default").get_style_defs(".highlight")
    dark = HtmlFormatter(style="github-dark").get_style_defs(".highlight")
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n{ours}"


def clean_html(text: str) -> str:
    """HTML of a notebook without anything that runs or loads."""
    return _cleaner().clean(text)


@cache
def _cleaner() -> Cleaner:
    styles = _PlainStyles(allowed_css_properties=STYLES)
    protocols = {"http", "https", "mailto"}
    return Cleaner(TAGS, ATTRIBUTES, protocols, strip=True, css_sanitizer=styles)


class _PlainStyles(CSSSanitizer):
    """Keeps declarations of known properties whose values name no address."""

    def sanitize_css(self, style: str) -> str:
        kept = map(str.strip, super().sanitize_css(style).split(";"))
        return "".join(f"{part};" for part in kept if part and PLAIN_STYLE.fullmatch(part))


def _make_harmless(output: NotebookNode) -> None:
    """Keep of one output what the page shows, in the form that it must have."""
    if output.output_type not in ("display_data", "execute_result"):
        return
    output.metadata = NotebookNode()
    kept: dict[str, str] = {}
    if png := stored_png(output):
        output.data = NotebookNode({"image/png": png})
    for kind, content in output.data.items():
        if kind not in SHOWN or not isinstance(content, str):
            continue
        if kind in PICTURES:
            picture = _picture(content, PICTURES[kind])
            if picture:
                kept[kind] = picture
        else:
            kept[kind] = clean_html(content) if kind == "text/html" else content
    output.data = NotebookNode(kept)


def _picture(content: str, start: bytes) -> str:
    """The picture in plain base64, or "" where it is none."""
    with contextlib.suppress(ValueError):
        data = base64.b64decode("".join(content.split()), validate=True)
        return base64.b64encode(data).decode() if data.startswith(start) else ""
    return ""


class _PageExporter(HTMLExporter):
    """nbconvert's exporter with cleaned Markdown: its links may be scripts."""

    @pass_context
    def markdown2html(self, context: Context, source: str) -> str:
        return clean_html(super().markdown2html(context, source))


@cache
def _exporter() -> HTMLExporter:
    return _PageExporter(
        template_name="feedback_page",
        extra_template_basedirs=[str(TEMPLATES)],
        default_preprocessors=[],
        exclude_anchor_links=True,
    )


def exercise_names(release: NotebookNode) -> dict[str, str]:
    """What students know each check cell as: the last heading before it, by the cell's grade_id."""
    names: dict[str, str] = {}
    heading = ""
    for cell in release.cells:
        if cell.cell_type == "markdown":
            headings = re.findall(r"^#{1,3} +(.+)$", cell.source, re.MULTILINE)
            heading = headings[-1].strip() if headings else heading
        about = cell.metadata.get("nbgrader", {})
        if about.get("grade"):
            called = re.search(r"checks\.(\w+)\(", cell.source)
            taken = heading in names.values() or not heading
            function = called[1] if called else about["grade_id"]
            names[about["grade_id"]] = f"{heading}: {function}".strip(": ") if taken else heading
    return names
