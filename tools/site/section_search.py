"""What the search of the site looks through: each section of each page, and what it is also called.

A section is what stands under a heading, without the sections in it. `Also: ...` in an entry of the
glossary holds the words that people type instead; they count for the section of the lesson to which
the entry leads as well. On another page of docs/ a comment under a heading, `<!-- also: ... -->`,
holds them. Two scripts are made: the sections, and what finds them
(widgets_js/src/search/search.js). Pages fetch them when somebody searches.
"""

import json
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from bs4 import BeautifulSoup, Comment, PageElement, Tag

from tools.site.glossary import Term, read_terms

SOURCE = "widgets_js/src/search/search.js"
ESBUILD = "widgets_js/node_modules/.bin/esbuild"
ALSO = re.compile(r"(?<=[.)] )Also: .+?\.(?= Lesson \d\d\Z)")  # of an entry, which is no sentence
# What is no prose: it is cut before the page is read, since most of a page's letters are there.
NO_PROSE = re.compile(r"<(script|style|svg|pre)\b.*?</\1>", re.DOTALL)
FOLDS = ".what-happens, .folded-code, .hide, .again, .claims"
FURNITURE = f".headerlink, .course-buttons, .cw, :is({FOLDS}) > summary"
# A formula becomes what people type: sqrt(d_k) for \sqrt{d_k}. Innermost braces go first.
PLAIN_TEX = (
    (re.compile(r"\\[()\[\],;!]"), " "),
    (re.compile(r"\\(?:color|class)\{[^{}]*\}"), ""),
    (re.compile(r"\\(?:text|mathrm|mathbf|operatorname|left|right)\b"), ""),
    (re.compile(r"\^\{?\\top\}?"), "ᵀ"),
    (re.compile(r"\\sqrt\{([^{}]*)\}"), r"sqrt(\1)"),
    (re.compile(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}"), r"\1/\2"),
    (re.compile(r"\\([A-Za-z]+)"), r" \1 "),
    (re.compile(r"[{}\\]"), ""),
)
# Where the same words stand, a lesson comes before a page of the docs, and both before exercises.
WEIGHTS = {"notebooks": 1.3, "docs": 1.0, "exercises": 0.6, "docs/reference": 0.5, "": 0.5}


def section_scripts(pages: Mapping[Path, str], root: Path) -> dict[Path, str]:
    """Return the two scripts by their places in the site.

    Args:
        pages: HTML by its place in the site.
        root: the course's folder.

    Raises:
        RuntimeError: the script that searches cannot be bundled.
    """
    terms = read_terms(root / "docs" / "glossary.md")
    sections = [
        section
        for place, page in sorted(pages.items())
        if place.parts[0] in ("notebooks", "docs", "exercises") or place.name == "index.html"
        for section in sections_of(place, page, terms)
    ]
    options = ("--bundle", "--minify", "--format=iife", "--target=es2022", "--log-level=error")
    done = subprocess.run(
        [str(root / ESBUILD), str(root / SOURCE), *options], capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{SOURCE} could not be bundled; did `npm ci` run?\n{done.stderr}")
    table = json.dumps(sections, ensure_ascii=False, separators=(",", ":"))
    static = Path("_static")
    return {
        static / "sections.js": f"globalThis.courseSections = {table};\n",
        static / "search.js": done.stdout,
    }


def sections_of(place: Path, page: str, terms: Iterable[Term]) -> list[dict]:
    """Return the sections of a page, in its order, as search.js takes them."""
    article = BeautifulSoup(NO_PROSE.sub("", page), "html.parser").select_one(".bd-article")
    if article is None:
        return []
    also = _also_called(place, article, terms)
    for part in article.select(FURNITURE):
        part.decompose()
    for formula in article.select(".math"):
        formula.string = plain_formula(formula.get_text())
    weight = WEIGHTS[max((top for top in WEIGHTS if place.as_posix().startswith(top)), key=len)]
    whole = article.select_one("h1")
    sections = []
    for section in article.select("section[id]"):
        heading = section.find(re.compile("h[1-6]"), recursive=False)
        if heading is None:
            continue
        texts = [
            _text(part) for part in section.children if part is not heading and not _is_apart(part)
        ]
        top, anchor = heading.name == "h1", str(section["id"])
        sections.append(
            {
                "address": place.as_posix() + ("" if top else f"#{anchor}"),
                "page": "" if top or whole is None else _text(whole),
                "title": _text(heading),
                "also": ", ".join([*also.get(anchor, ()), *_said_in_comments(section)]),
                "text": ALSO.sub("", " ".join(text for text in texts if text)),
                "weight": weight,
            }
        )
    return sections


def plain_formula(tex: str) -> str:
    """Return a formula as one types it, such as ``sqrt(d_k)``."""
    for pattern, plain in PLAIN_TEX:
        tex = pattern.sub(plain, tex)
    return re.sub(r"\s+", " ", tex).strip()


def _also_called(place: Path, article: Tag, terms: Iterable[Term]) -> dict[str, list[str]]:
    """Return by sections' ids the names of the terms that are explained there, and their others."""
    names: dict[str, list[str]] = {}
    for term in terms:
        anchor = None
        if place.as_posix() == "docs/glossary.html":
            anchor = article.find(id=term.slug)
        elif place.as_posix() == f"notebooks/{term.topic}.html":
            anchor = article.find(id=term.cell)
        section = anchor if anchor is not None and anchor.name == "section" else None
        if anchor is not None and section is None:
            section = anchor.find_parent("section", id=True)
        if section is not None:
            names.setdefault(str(section["id"]), []).extend((term.name, *term.also))
    return names


def _said_in_comments(section: Tag) -> list[str]:
    comments = (part.strip() for part in section.children if isinstance(part, Comment))
    return [text.removeprefix("also:").strip() for text in comments if text.startswith("also:")]


def _is_apart(part: PageElement) -> bool:
    """Whether it is no text of the section that it stands in."""
    return isinstance(part, Comment) or (isinstance(part, Tag) and part.name == "section")


def _text(part: PageElement) -> str:
    text = part.get_text(" ") if isinstance(part, Tag) else str(part)
    return re.sub(r"\s+([.,;:?!)])", r"\1", re.sub(r"\s+", " ", text)).strip()
