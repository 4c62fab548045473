"""The glossary: every word is introduced where its entry says, and the site links it there."""

import re

import pytest
from nbformat.v4 import new_markdown_cell, new_notebook
from sphinx.cmd.build import main as sphinx_build

from tools.notebooks.notebook_files import NOTEBOOK_METADATA, ROOT, read_notebook, write_notebook
from tools.site import glossary
from tools.site.glossary import read_terms

TERMS = read_terms()
PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.slug)
def test_the_word_stands_where_the_entry_says(term):
    assert term.topic.startswith(term.lesson)
    cells = read_notebook(ROOT / "notebooks" / f"{term.topic}.ipynb").cells
    (cell,) = (cell for cell in cells if cell.id == term.cell)
    assert cell.cell_type == "markdown"
    assert term.pattern.search(re.sub(r"`[^`]*`|\$[^$]*\$", "", cell.source))


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.slug)
def test_an_entry_is_one_or_two_plain_sentences(term):
    assert 1 <= len(re.findall(r"[.?](?=\s|$)", term.text)) <= 3
    assert len(term.text.split()) <= 45


def test_entries_stand_in_order_and_every_heading_is_one():
    names = [term.name.lower() for term in TERMS]
    assert names == sorted(set(names))
    assert len(TERMS) == PAGE.count("\n## ")


def test_words_that_are_linked_in_one_place_only_are_words():
    assert {term.name for term in TERMS} >= glossary.ONE_PLACE


def test_an_entry_without_a_place_is_refused(tmp_path):
    path = tmp_path / "glossary.md"
    path.write_text("# Glossary\n\n## Word\n\nWhat it is.\n")
    with pytest.raises(ValueError, match="Word: the entry must end with"):
        read_terms(path)


CONF = f"""\
import sys
sys.path.insert(0, {str(ROOT)!r})
extensions = ["myst_nb", "tools.notebooks.cell_anchors", "tools.site.glossary"]
nb_execution_mode = "off"
myst_heading_anchors = 4
"""
CAUSAL = next(term for term in TERMS if term.name == "Leak test")
QUERY = next(term for term in TERMS if term.name == "Query")


def notebook(*cells):
    made = [new_markdown_cell(text, id=name) for name, text in cells]
    return new_notebook(metadata=NOTEBOOK_METADATA, cells=made)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site of three lessons: the one that introduces a word, one before and one behind it."""
    folder = tmp_path_factory.mktemp("glossary")
    pages = folder / "pages"
    lessons = {
        "01_soft_lookup": [
            ("title", "# One\n\nA query before, and a leak test."),
            (QUERY.cell, "The queries are asked.\n\nA query again."),
        ],
        CAUSAL.topic: [
            ("title", "# Five\n\nA leak test, and a query."),
            (CAUSAL.cell, "## The leak test\n\n`leak test` is a **leak test**. A leak test."),
        ],
        "06_cross_attention": [("title", "# Six\n\nTwo leak tests, unleak test, and a query.")],
    }
    for topic, cells in lessons.items():
        write_notebook(pages / "notebooks" / f"{topic}.ipynb", notebook(*cells))
    (pages / "docs").mkdir()
    entries = "\n\n".join(f"## {term.name}\n\n{term.text}" for term in TERMS)
    entries = re.sub(r"\[(\w+)\]\(#[\w-]+\)", r"\1", entries)
    (pages / "docs" / "glossary.md").write_text(f"# Glossary\n\n{entries}\n")
    names = "\n".join(["docs/glossary", *(f"notebooks/{topic}" for topic in lessons)])
    (pages / "index.md").write_text(f"# Course\n\n```{{toctree}}\n{names}\n```\n")
    (pages / "conf.py").write_text(CONF)
    site = folder / "site"
    assert sphinx_build(["-b", "html", "-W", "-q", str(pages), str(site)]) == 0
    return site


def linked(site, topic):
    page = (site / "notebooks" / f"{topic}.html").read_text()
    pattern = r'<a class="glossary-term[^"]*" href="\.\./docs/glossary\.html#([\w-]+)">([^<]+)</a>'
    return re.findall(pattern, page)


def test_a_word_is_linked_once_where_it_is_introduced_and_once_in_later_lessons(site):
    assert linked(site, "01_soft_lookup") == [("query", "queries")]
    assert linked(site, CAUSAL.topic) == [("leak-test", "leak test")]
    assert linked(site, "06_cross_attention") == [("leak-test", "leak tests")]


def test_neither_a_heading_nor_code_becomes_a_link(site):
    page = (site / "notebooks" / f"{CAUSAL.topic}.html").read_text()
    assert re.search(r"<h2>The leak test<", page)
    assert re.search(r"<strong><a class=\"glossary-term", page)
    assert re.search(r'<span class="pre">leak</span>', page)
