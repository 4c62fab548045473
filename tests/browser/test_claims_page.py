"""On the built site, each link of the claims and of the glossary leads into the reader's view."""

from collections import defaultdict

import pytest

from tools.notebooks.notebook_files import ROOT
from tools.site.claims import read_claims
from tools.site.glossary import read_terms

SITE = ROOT / "_site"
FOLLOW = """\
anchor => {
  location.hash = "";
  location.hash = anchor;
  return new Promise(done => setTimeout(() => {
    const cell = document.getElementById(anchor);
    const folded = cell?.closest("details:not([open])");
    const top = cell?.getBoundingClientRect().top;
    done(Boolean(cell) && !folded && top > -100 && top < innerHeight);
  }, 60));
}"""


def cells_by_lesson():
    cells = defaultdict(set)
    for claim in read_claims():
        cells[claim.notebook.stem].add(claim.cell)
    for term in read_terms():
        cells[term.topic].add(term.cell)
    return cells


@pytest.mark.parametrize("topic", sorted(cells_by_lesson()))
def test_a_link_shows_the_cell_folded_or_not(browser, topic):
    path = SITE / "notebooks" / f"{topic}.html"
    assert path.is_file(), "`make site` builds the pages"
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(path.as_uri())
    cells = cells_by_lesson()[topic]
    assert page.evaluate(FOLLOW, "no-such-cell") is False
    hidden = [cell for cell in sorted(cells) if not page.evaluate(FOLLOW, cell)]
    page.close()
    assert hidden == []
    assert cells, "no link leads to this lesson"
