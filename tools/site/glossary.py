"""A Sphinx extension: the words of docs/glossary.md are linked from the lessons to the glossary.

Each word is linked where it is introduced: at its first use from the cell on that its entry names.
Words that lesson 03 or a later one introduces are linked at their first use in each later lesson
too. Nothing of this stands in the notebooks.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from tools.notebooks.cell_anchors import cell_of
from tools.notebooks.notebook_files import ROOT

GLOSSARY = "docs/glossary"
ENTRY = re.compile(r"^## (.+?)\n\n(.+?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
PLACE = re.compile(r"\[Lesson (\d\d)\]\(\.\./notebooks/(\d\d_\w+)\.ipynb#([\w-]+)\)\s*\Z")
ALSO = re.compile(r"\s*Also: (.+)\.\s*\Z")
KNOWN_BEFORE = "03"  # what earlier lessons introduce, all later ones take as known
ONE_PLACE = {"Block", "Control", "Mask", "Memory"}  # elsewhere these mean other things, or too much
UNTOUCHED = (nodes.reference, nodes.literal, nodes.title, nodes.math)


@dataclass(frozen=True)
class Term:
    name: str
    text: str  # what the entry says, without its other names and its link
    also: tuple[str, ...]  # what people type instead
    lesson: str
    topic: str
    cell: str

    @property
    def slug(self) -> str:
        return self.name.lower().replace(" ", "-")

    @property
    def pattern(self) -> re.Pattern[str]:
        stem, ending = self.name, "(?:s|es)?"
        if stem.endswith("y"):
            stem, ending = stem[:-1], "(?:y|ies)"
        return re.compile(rf"(?<![\w-]){re.escape(stem)}{ending}(?![\w-])", re.IGNORECASE)


def read_terms(path: Path = ROOT / f"{GLOSSARY}.md") -> list[Term]:
    """Return the entries of the glossary.

    Raises:
        ValueError: an entry does not end with a link to a cell of a lesson.
    """
    terms = []
    for name, text in ENTRY.findall(path.read_text(encoding="utf-8")):
        place = PLACE.search(text)
        if not place:
            raise ValueError(f"{name}: the entry must end with [Lesson NN](../notebooks/...#cell)")
        heading = text[: place.start()].strip()
        also = ALSO.search(heading)
        others = tuple(also[1].split(", ")) if also else ()
        terms.append(Term(name, ALSO.sub("", heading), others, *place.groups()))
    return terms


def blocks_of(doctree: nodes.document, term: Term, topic: str) -> list[nodes.paragraph]:
    """Return the paragraphs of a lesson in which the first use of a term is linked."""
    paragraphs = list(doctree.findall(nodes.paragraph))
    if topic == term.topic:
        parts = re.compile(rf"{re.escape(term.cell)}(-\d+)?")  # lesson_pages.py splits cells
        cells = [
            cell_of(node)
            for node in doctree.findall(nodes.Element)
            if any(parts.fullmatch(name) for name in node["ids"])
        ]
        return [node for node in paragraphs if cells and cell_of(node) >= min(cells)]
    is_new = term.lesson >= KNOWN_BEFORE and term.name not in ONE_PLACE
    return paragraphs if is_new and topic[:2] > term.lesson else []


def link_first(paragraphs: list[nodes.paragraph], term: Term, address: str) -> bool:
    """Link the first use of a term; return whether there is one."""
    for paragraph in paragraphs:
        for text in list(paragraph.findall(nodes.Text)):
            use = term.pattern.search(text)
            if use and not any(isinstance(node, UNTOUCHED) for node in _parents(text)):
                link = nodes.reference(
                    "", use[0], internal=True, refuri=address, classes=["glossary-term"]
                )
                parts = [nodes.Text(text[: use.start()]), link, nodes.Text(text[use.end() :])]
                text.parent.replace(text, [part for part in parts if part.astext()])
                return True
    return False


def _parents(node: nodes.Node):
    while (node := node.parent) is not None:
        yield node


def link_terms(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    folder, _, topic = docname.rpartition("/")
    if folder != "notebooks" or GLOSSARY not in app.env.all_docs:
        return
    for term in read_terms():
        address = f"{app.builder.get_relative_uri(docname, GLOSSARY)}#{term.slug}"
        link_first(blocks_of(doctree, term, topic), term, address)


def rebuild_lessons(app: Sphinx, env, added, changed, removed) -> list[str]:
    """When the glossary has changed, all lessons are written anew."""
    if GLOSSARY not in changed | added:
        return []
    return [name for name in env.found_docs if name.startswith("notebooks/")]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("env-get-outdated", rebuild_lessons)
    app.connect("doctree-resolved", link_terms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
