"""The page of claims says what the lessons measure: every cell, every number, every verdict."""

import re

import pytest

from tools.notebooks.notebook_files import ROOT, read_notebook
from tools.site import claims
from tools.site.claims import Claim, place_of, read_claims

CLAIMS = read_claims()
NUMERAL = re.compile(r"(?<![\w.])(?:\d+(?:,\d{3})+|\d+(?:\.\d+)?)(?!\w)")  # not in float16
MOST_WORDS = {"says": 20, "verdict": 8, "measured": 40}


def printed(cell):
    """What a cell's outputs say."""
    parts = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        parts += [output.get("text", ""), data.get("text/plain", ""), data.get("text/html", "")]
    return "\n".join(parts)


def beside(notebook, place):
    """The text before and behind a cell; several cells behind, if no text stands between them."""
    cells, found = notebook.cells, []
    for step in (-1, 1):
        i = place + step
        while 0 <= i < len(cells) and cells[i].cell_type != "markdown":
            i += step
        if 0 <= i < len(cells):
            found.append(cells[i].source)
    return "\n".join(found)


def occurs(number, text):
    """Whether a number stands in a text as a whole: 0.5 does not stand in 10.5 or 0.56."""
    pattern = rf"(?<![\w.]){re.escape(number)}(?:\.0)?(?!\w|[.,]\d)"
    return re.search(pattern, " ".join(text.split())) is not None


def unmeasured(claim, notebook):
    """Numbers of a claim that the lesson does not say: none, if all is well."""
    place = place_of(notebook, claim.cell)
    cell, text = notebook.cells[place], beside(notebook, place)
    evidence = printed(cell) + "\n" + text
    missing = [] if occurs(claim.number, evidence) else [claim.number]
    rest = claim.measured.replace(f"**{claim.number}**", "")
    around = evidence + "\n" + cell.source
    return missing + [number for number in NUMERAL.findall(rest) if not occurs(number, around)]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.says[:50])
def test_every_number_stands_in_the_cell_or_beside_it(claim):
    notebook = read_notebook(claim.notebook)
    assert notebook.cells[place_of(notebook, claim.cell)].cell_type == "code"
    assert unmeasured(claim, notebook) == []


def test_a_number_that_the_lesson_does_not_say_is_found():
    notebook = read_notebook(ROOT / "notebooks" / "02_single_head.ipynb")
    right = "At d_k = 1024 a typical score is **32.3** without the division, and 1.01 with it."
    for wrong, found in (("32.3", "32.2"), ("32.3", "2.3"), ("1.01", "1.0"), ("1024", "2048")):
        claim = Claim("", "", "true", right.replace(wrong, found), "02", "typical-scores")
        assert unmeasured(claim, notebook) == [found]
    assert unmeasured(Claim("", "", "true", right, "02", "typical-scores"), notebook) == []


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.says[:50])
def test_every_claim_is_short_and_has_a_verdict(claim):
    assert claim.kind in claims.VERDICTS
    for name, most in MOST_WORDS.items():
        assert len(getattr(claim, name).split()) <= most, name
    assert claim.measured.endswith(".")
    assert not claim.verdict.endswith(".")


def test_no_claim_stands_there_twice():
    assert len({claim.says for claim in CLAIMS}) == len(CLAIMS)


def test_the_page_is_up_to_date():
    stored = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
    assert stored == claims.page(CLAIMS), "run make links"
    assert all(stored.count(claim.measured) == 1 for claim in CLAIMS)


@pytest.mark.parametrize("measured", ["0.5 of them.", "**0.5** and **0.6**."])
def test_one_number_is_bold(measured):
    with pytest.raises(ValueError, match="one number of `measured` is in"):
        Claim("", "", "true", measured, "02", "x").number  # noqa: B018


@pytest.mark.parametrize("verdict", ["maybe", "truely", "", "mostly false"])
def test_a_verdict_that_is_none_is_refused(verdict):
    with pytest.raises(ValueError, match="the verdict begins with one of"):
        Claim("", "", verdict, "**1**.", "02", "x").kind  # noqa: B018
